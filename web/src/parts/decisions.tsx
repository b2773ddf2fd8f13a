// Decisions in words: what, of whom, where, for whom and why.
import type { Decision } from '../api/types';
import { nodeHref, workloadHref } from '../route';
import { counted } from '../text/amounts';
import { sentence, Empty, Name, QueueLink, Type, When } from './bits';
import { usePage } from './context';
import { folded } from './fold';
import { Still } from './still';

const kActions: Record<string, string> = {
  Reclaim: 'reclaimed',
  Preempt: 'preempted',
  DaemonSet: 'made room',
  Consolidate: 'moved',
};

const counts = (decision: Decision) =>
  (decision.podSets ?? []).map(({ name, count }) => `${name} ${count}`).join(', ');

function What({ decision }: { decision: Decision }) {
  const { pod, workload } = decision;
  const name = pod ?? workload ?? '';
  if (!name) return <span class="quiet">–</span>;
  return <a class="name" href={workloadHref(workload ?? name)}><Name name={name} /></a>;
}

function Detail({ decision }: { decision: Decision }) {
  const { node, action } = decision;
  return (
    <span class="detail">
      {node && (
        <span>
          <span class="quiet">{decision.type === 'Evict' ? 'from ' : 'on '}</span>
          <a class="quiet-link" href={nodeHref(node)}>{node}</a>
        </span>
      )}
      {counts(decision) && <span>{counts(decision)}</span>}
      {decision.for && (
        <span>
          <span class="quiet">{(action && kActions[action]) ?? action ?? ''} for </span>
          <a class="quiet-link" href={workloadHref(decision.for)}><Name name={decision.for} /></a>
        </span>
      )}
    </span>
  );
}

// "12 pods on 5 nodes", and each of them a click away.
function Pods({ rows }: { rows: Decision[] }) {
  const nodes = new Set(rows.flatMap(({ node }) => node ?? []));
  const where = nodes.size === 0 ? ''
    : `${rows[0]?.type === 'Evict' ? ' from ' : ' on '}${counted(nodes.size, 'node')}`;
  return (
    <details class="detail fold-rows">
      <summary>{counted(rows.length, 'pod')}{where}</summary>
      <ul>
        {rows.map(({ seq, pod, node }) => (
          <li key={seq}><Name name={pod ?? ''} />{node && <>{' '}
            <a class="quiet-link" href={nodeHref(node)}>{node}</a></>}</li>
        ))}
      </ul>
    </details>
  );
}

// `each`: a line for every pod, too.
export function DecisionList(props: { rows: Decision[]; short?: boolean; most?: number;
  each?: boolean }) {
  const { rows, short } = props;
  const { summary } = usePage();
  if (rows.length === 0) return <Empty>Nothing was decided.</Empty>;
  const now = summary?.now ?? rows[0]?.time ?? '';
  const folds = props.each ? rows.map((row) => ({ first: row, rows: [row] })) : folded(rows);
  return (
    <ol class={`decisions ${short ? 'decisions-short' : ''}`}>
      {folds.slice(0, props.most).map(({ first: decision, rows: pods }) => (
        <Still key={pods.at(-1)?.seq} of={`${decision.seq} ${pods.length} ${now.slice(0, 10)}`} draw={() => <li>
          <When time={decision.time} now={now} />
          <Type type={decision.type} />
          <span class="what">{pods.length > 1
            ? <a class="name" href={workloadHref(decision.workload ?? '')}><Name
              name={decision.workload ?? ''} /></a>
            : <What decision={decision} />}</span>
          {pods.length > 1 ? <Pods rows={pods} /> : <Detail decision={decision} />}
          {!short && <span class="whose"><QueueLink name={decision.queue} />
            {decision.user && <span class="quiet"> {decision.user}</span>}</span>}
          {!short && decision.reason && <p class="why">{sentence(decision.reason)}</p>}
        </li>} />
      ))}
    </ol>
  );
}
