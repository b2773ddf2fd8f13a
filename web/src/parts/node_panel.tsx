// One node: what it has, what is used, and by whom.
import { usePoll } from '../api/poll';
import type { NodeAnswer } from '../api/types';
import { Meter } from '../pictures/meter';
import { amountOf, amounts, counted, inOrder, percent, resourceLabel } from '../text/amounts';
import { hrefOf } from '../route';
import { Empty, Name, QueueLink, Trouble } from './bits';

function Uses({ node }: { node: NodeAnswer }) {
  return (
    <div class="node-uses">
      {inOrder(node.resources).map(({ resource, index }) => {
        const whole = node.allocatable[index] ?? 0;
        const part = node.allocated[index] ?? 0;
        if (whole === 0 && part === 0) return null;
        return (
          <div class="node-use" key={resource.name}>
            <span>{resourceLabel(resource.name)}</span>
            <Meter part={part} whole={whole} />
            <span class="num">{amountOf(resource, part, whole)}</span>
            <span class="num quiet">{percent(part, whole)}</span>
          </div>
        );
      })}
    </div>
  );
}

function Pods({ node }: { node: NodeAnswer }) {
  if (node.pods.length === 0) return <Empty>Nothing runs here.</Empty>;
  return (
    <ul class="node-pods">
      {node.pods.map((pod) => (
        <li key={pod.pod}>
          {pod.workload && !pod.foreign ? (
            <a class="name" href={hrefOf(['workloads', ...pod.workload.split('/')])}>
              <Name name={pod.pod} />
            </a>
          ) : <span><Name name={pod.pod} /></span>}
          <span class="quiet">{pod.foreign ? 'placed by others' : pod.state}</span>
          <span class="node-pod-more">
            {amounts(node.resources, pod.request)}
            {pod.queue && <> · <QueueLink name={pod.queue} /></>}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function NodePanel({ name, close }: { name: string; close: string }) {
  const { data: node, failure } =
    usePoll<NodeAnswer>(`/api/v1/view/nodes/${encodeURIComponent(name)}`);
  return (
    <section class="panel node-panel" aria-label={`Node ${name}`}>
      <header class="panel-head">
        <h2>{name}</h2>
        {node && <span class={`node-state node-${node.state}`}>{node.state}</span>}
        <a class="close" href={close} aria-label="Close">✕</a>
      </header>
      {!node || failure?.status === 404 ? <Trouble failure={failure} /> : (
        <>
          <Uses node={node} />
          <p class="facts">
            <span>{counted(node.pods.length, 'pod')}</span>
            <a href={hrefOf(['timeline'], { q: name })}>Decisions</a>
          </p>
          <Pods node={node} />
          {node.labels && (
            <details class="labels">
              <summary>Labels</summary>
              <dl>
                {Object.entries(node.labels).map(([key, value]) => (
                  <div key={key}><dt>{key}</dt><dd>{value || '–'}</dd></div>
                ))}
              </dl>
            </details>
          )}
        </>
      )}
    </section>
  );
}
