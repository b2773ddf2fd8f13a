// One node: what it has, what is used, and by whom.
import { usePoll } from '../api/poll';
import type { NodeAnswer } from '../api/types';
import { amounts, counted, inOrder } from '../text/amounts';
import { hrefOf } from '../route';
import { Askers } from './askers';
import { Empty, Name, QueueLink, Trouble } from './bits';
import { Uses } from './uses';

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

// Of GPUs where it has any, else of CPU.
function hasFree(node: NodeAnswer): boolean {
  if (node.state !== 'Ready') return false;
  const main = inOrder(node.resources).find(({ index }) => (node.allocatable[index] ?? 0) > 0);
  return main !== undefined
    && (node.allocated[main.index] ?? 0) < (node.allocatable[main.index] ?? 0);
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
          <Uses resources={node.resources} allocatable={node.allocatable}
            allocated={node.allocated} />
          <p class="facts">
            <span>{counted(node.pods.length, 'pod')}</span>
            <a href={hrefOf(['timeline'], { q: name })}>Decisions</a>
          </p>
          <Pods node={node} />
          {hasFree(node) && <Askers node={name} />}
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
