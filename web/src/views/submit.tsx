import { useEffect, useRef, useState } from 'preact/hooks';

import { type Failure, postText } from '../api/client';
import type { Submitted } from '../api/types';
import { Panel, sentence } from '../parts/bits';
import { usePage } from '../parts/context';
import { nodeHref, queueHref, workloadHref } from '../route';
import { counted } from '../text/amounts';

type Outcome = { submitted: Submitted } | { failure: Failure } | null;

const kKept = 'fairlead.submit';
const kExample = `apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: hello, namespace: default}
spec:
  podSets:
  - name: worker
    count: 2
    template:
      metadata: {annotations: {fairlead.dev/run-duration: 10m}}
      spec:
        schedulerName: fairlead
        containers:
        - {name: main, resources: {requests: {cpu: "1"}}}
`;

// "body:12: Pod a/b: spec: wrong" says where in the box it is.
function faultOf(text: string): { line: number; what: string } {
  const match = /^body:(\d+): (.*)$/s.exec(text);
  return match ? { line: Number(match[1]), what: match[2] ?? '' } : { line: 0, what: text };
}

function hrefFor(kind: string, name: string): string | null {
  if (kind === 'Queue') return queueHref(name);
  if (kind === 'Node') return nodeHref(name);
  const isWorkload = ['Workload', 'Pod', 'PodGroup'].includes(kind) || kind.endsWith('Job');
  return isWorkload ? workloadHref(name) : null;
}

function Faults(props: { failure: Failure; onLine: (line: number) => void }) {
  const { failure, onLine } = props;
  return (
    <Panel title="Nothing was submitted" class="faults">
      <p>{sentence(failure.message)}</p>
      <ul>
        {failure.faults.map((text) => {
          const { line, what } = faultOf(text);
          return (
            <li key={text}>
              {line > 0 && <button type="button" onClick={() => onLine(line)}>line {line}</button>}
              <span>{what}</span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function Made({ submitted }: { submitted: Submitted }) {
  const { objects, later, warnings } = submitted;
  const none = objects.length === 0;
  return (
    <Panel title={none ? 'Nothing was submitted' : 'Submitted'}>
      {none && warnings.length === 0 && <p>There is no object in it.</p>}
      <ul class="made">
        {objects.map(({ kind, name, result }) => {
          const href = hrefFor(kind, name);
          return (
            <li key={kind + name}>
              <span class="quiet">{kind}</span>
              {href ? <a class="name" href={href}>{name}</a> : <span class="name">{name}</span>}
              <span>{result}</span>
            </li>
          );
        })}
      </ul>
      {later > 0 && <p class="quiet">{counted(later, 'object')} will arrive later.</p>}
      {warnings.map((warning) => <p class="note-warn" key={warning}>{sentence(warning)}</p>)}
    </Panel>
  );
}

function remembered(): string {
  try {
    return sessionStorage.getItem(kKept) ?? '';
  } catch {
    return '';
  }
}

export function SubmitView() {
  const { summary } = usePage();
  const [text, setText] = useState(remembered);
  const [outcome, setOutcome] = useState<Outcome>(null);
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const lines = text.split('\n').length;
  const faulty = new Set(outcome && 'failure' in outcome
    ? outcome.failure.faults.map((fault) => faultOf(fault).line) : []);

  useEffect(() => {
    try {
      sessionStorage.setItem(kKept, text);
    } catch {
      // Then it is not there after a reload.
    }
  }, [text]);

  const submit = async () => {
    if (busy || text.trim() === '') return;
    setBusy(true);
    const got = await postText<Submitted>('/api/v1/objects', text);
    setBusy(false);
    setOutcome(got.ok ? { submitted: got.data } : { failure: got.failure });
  };
  const toLine = (line: number) => {
    const before = text.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    const end = text.indexOf('\n', before);
    box.current?.focus();
    box.current?.setSelectionRange(before, end < 0 ? text.length : end);
  };
  if (summary && !summary.canSubmit) {
    return <p class="empty">Objects of a real cluster are made with kubectl.</p>;
  }
  return (
    <>
      <div class="view-head"><h1>Submit</h1></div>
      <section class="panel submit">
        <div class="editor">
          <div class="gutter" aria-hidden="true">
            {Array.from({ length: lines }, (_, index) => (
              <span key={index} class={faulty.has(index + 1) ? 'gutter-fault' : ''}>{index + 1}</span>
            ))}
          </div>
          <textarea
            ref={box}
            aria-label="Objects as YAML or JSON"
            spellcheck={false}
            wrap="off"
            rows={Math.max(16, lines)}
            placeholder="Pods, Jobs, Workloads, Queues, Nodes: YAML or JSON"
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setOutcome(null);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
            }}
          />
        </div>
        <div class="submit-row">
          <button type="button" class="primary" disabled={busy || text.trim() === ''}
            onClick={() => void submit()}>Submit</button>
          <span class="quiet"><kbd>Ctrl</kbd> <kbd>Enter</kbd></span>
          {text === '' && (
            <button type="button" onClick={() => setText(kExample)}>Put in an example</button>
          )}
        </div>
      </section>
      <div aria-live="polite">
        {outcome && 'failure' in outcome && <Faults failure={outcome.failure} onLine={toLine} />}
        {outcome && 'submitted' in outcome && <Made submitted={outcome.submitted} />}
      </div>
    </>
  );
}
