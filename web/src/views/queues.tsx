import { usePoll } from '../api/poll';
import type { QueuesAnswer, Queue } from '../api/types';
import { Choices, Empty, ResourcePicker, Trouble, chosenResource } from '../parts/bits';
import { QueueBar, QueueBarLegend, borrowedOf, extentOf } from '../pictures/queue_bar';
import { type Row, figuresOf, rowsOf } from '../parts/queue_tree';
import { hrefOf, queueHref, setParams } from '../route';
import { bareAmount, count, unitWord } from '../text/amounts';
import { Icon } from '../parts/icons';

const kScales = [
  { value: '', label: 'One scale' },
  { value: 'own', label: 'Each its own' },
];

function QueueName({ row, folded, onFold }: { row: Row; folded: boolean; onFold: () => void }) {
  const { queue, depth } = row;
  return (
    <span class="tree-name" style={{ paddingInlineStart: `${depth * 18}px` }}>
      {row.children > 0 ? (
        <button type="button" class={`fold ${folded ? '' : 'fold-open'}`} onClick={onFold}
          aria-expanded={!folded} aria-label={`Queues below ${queue.name}`}>
          <Icon name="open" />
        </button>
      ) : <span class="fold-none" />}
      <a class="name" href={queueHref(queue.name)}>{queue.name}</a>
      {queue.ready && <span class="warn-tag">{queue.ready}</span>}
    </span>
  );
}

function Waits({ queue }: { queue: Queue }) {
  const of = (state: string) => hrefOf(['workloads'], { queue: queue.name, state });
  return (
    <>
      <td class="num" data-name="running"><a class="quiet-link" href={of('Running')}>{count(queue.runningWorkloads)}</a></td>
      <td class="num" data-name="pending"><a class="quiet-link" href={of('Pending')}>{count(queue.pendingWorkloads)}</a></td>
    </>
  );
}

export function QueuesView({ params }: { params: URLSearchParams }) {
  const { data, failure } = usePoll<QueuesAnswer>('/api/v1/view/queues');
  if (!data) return <><div class="view-head"><h1>Queues</h1></div><Trouble failure={failure} /></>;
  const chosen = chosenResource(data.resources, params.get('r'));
  const folded = new Set((params.get('folded') ?? '').split(',').filter(Boolean));
  const rows = rowsOf(data.queues, folded);
  const own = params.get('scale') === 'own';
  const { resource, index } = chosen ?? { resource: { name: '', scale: 1 }, index: 0 };
  const most = Math.max(0, ...data.queues.map((queue) => extentOf(figuresOf(queue, index))));
  const fold = (name: string) => {
    const next = new Set(folded);
    if (!next.delete(name)) next.add(name);
    setParams({ folded: [...next].join(',') || undefined }, 'replace');
  };
  const show = (value: number | null) => value === null ? '–' : bareAmount(resource, value, most);
  return (
    <>
      <div class="view-head">
        <h1>Queues</h1>
        <ResourcePicker resources={data.resources} chosen={resource.name} />
        <Choices label="Scale of the bars" param="scale" value={own ? 'own' : ''}
          choices={kScales} />
      </div>
      {rows.length === 0 ? <Empty>There are no queues.</Empty> : (
        <section class="panel">
          <QueueBarLegend />
          <table class="queues">
            <caption class="hidden">Queues and their {resource.name}</caption>
            <thead>
              <tr>
                <th scope="col">Queue</th>
                <th scope="col" class="bar-column">{unitWord(resource, most) || 'use'}</th>
                <th scope="col" class="num">allocated</th>
                <th scope="col" class="num">borrowed</th>
                <th scope="col" class="num">asked</th>
                <th scope="col" class="num">guaranteed</th>
                <th scope="col" class="num">fair share</th>
                <th scope="col" class="num">limit</th>
                <th scope="col" class="num">running</th>
                <th scope="col" class="num">pending</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const figures = figuresOf(row.queue, index);
                return (
                  <tr key={row.queue.name} class={row.depth === 0 ? 'tree-root' : ''}>
                    <th scope="row">
                      <QueueName row={row} folded={folded.has(row.queue.name)}
                        onFold={() => fold(row.queue.name)} />
                    </th>
                    <td class="bar-column">
                      <QueueBar figures={figures} whole={own ? extentOf(figures) : most} />
                    </td>
                    <td class="num" data-name="allocated">{show(figures.allocated)}</td>
                    <td class="num" data-name="borrowed">{show(borrowedOf(figures))}</td>
                    <td class="num" data-name="asked">{show(figures.requested)}</td>
                    <td class="num" data-name="guaranteed">{show(figures.guaranteed)}</td>
                    <td class="num" data-name="fair share">{show(figures.fairShare)}</td>
                    <td class="num" data-name="limit">{show(figures.limit)}</td>
                    <Waits queue={row.queue} />
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
