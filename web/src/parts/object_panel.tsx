// The object behind a workload: as YAML, and how kubectl is asked for it.
import { useState } from 'preact/hooks';

import { usePoll } from '../api/poll';
import type { KindsAnswer } from '../api/types';
import { yaml } from '../text/yaml';
import { Empty, Trouble } from './bits';

const kEveryMs = 10_000;
const kKindsMs = 60_000;

function Copy({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState(false);
  if (!window.isSecureContext) return null;
  return (
    <button type="button" class="copy" aria-label={label} onClick={() => {
      void navigator.clipboard.writeText(text).then(() => setDone(true), () => setDone(false));
    }}>{done ? 'Copied' : 'Copy'}</button>
  );
}

// "workloads.fairlead.dev": so that kubectl takes no other's.
function resourceOf(plural: string, apiVersion: string): string {
  const [group] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
  return group?.includes('.') ? `${plural}.${group}` : plural;
}

function Shown({ kind, name }: { kind: string; name: string }) {
  const kinds = usePoll<KindsAnswer>('/api/v1/kinds', { everyMs: kKindsMs });
  const known = kinds.data?.kinds.find((each) => each.kind === kind);
  const [space = '', own = ''] = name.split('/');
  const { data, failure } = usePoll<object>(
    known ? `/api/v1/${known.plural}/${encodeURIComponent(space)}/${encodeURIComponent(own)}` : null,
    { everyMs: kEveryMs });
  if (kinds.data && !known) return <Empty>There is no object of kind {kind} to show.</Empty>;
  if (!known) return <Trouble failure={kinds.failure} />;
  const command = `kubectl get ${resourceOf(known.plural, known.apiVersion)} ${own} -n ${space} -o yaml`;
  const text = data && yaml(data);
  return (
    <>
      {failure?.status === 501 ? <Empty>Objects of a real cluster are read with kubectl:</Empty>
        : text === null ? <Trouble failure={failure} /> : (
          <div class="code-box">
            <Copy text={text} label="Copy the YAML" />
            <pre tabIndex={0} aria-label={`${kind} ${name} as YAML`}>{text}</pre>
          </div>
        )}
      <div class="code-box">
        <Copy text={command} label="Copy the command" />
        <pre tabIndex={0} aria-label="How kubectl is asked for it">{command}</pre>
      </div>
    </>
  );
}

// Asked for once it is opened.
export function ObjectPanel({ kind, name }: { kind: string; name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="panel object-panel" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><h2>YAML</h2></summary>
      {open && <Shown kind={kind} name={name} />}
    </details>
  );
}
