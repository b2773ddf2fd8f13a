// Decisions in words: what, of whom, where, for whom and why.
import type { Decision } from '../api/types';
import { nodeHref, workloadHref } from '../route';
import { sentence, Empty, Name, QueueLink, Type, When } from './bits';
import { usePage } from './context';
import { Still } from './still';

const kActions: Record<string, string> = {
  Reclaim: 'reclaimed',
  Preempt: 'preempted',
  DaemonSet: 'made room',
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

export function DecisionList({ rows, short }: { rows: Decision[]; short?: boolean }) {
  const { summary } = usePage();
  if (rows.length === 0) return <Empty>Nothing was decided.</Empty>;
  const now = summary?.now ?? rows[0]?.time ?? '';
  return (
    <ol class={`decisions ${short ? 'decisions-short' : ''}`}>
      {rows.map((decision) => (
        <Still key={decision.seq} of={`${decision.seq} ${now.slice(0, 10)}`} draw={() => <li>
          <When time={decision.time} now={now} />
          <Type type={decision.type} />
          <span class="what"><What decision={decision} /></span>
          <Detail decision={decision} />
          {!short && <span class="whose"><QueueLink name={decision.queue} />
            {decision.user && <span class="quiet"> {decision.user}</span>}</span>}
          {!short && decision.reason && <p class="why">{sentence(decision.reason)}</p>}
        </li>} />
      ))}
    </ol>
  );
}
