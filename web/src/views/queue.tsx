import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { DecisionsAnswer, Queue, QueuesAnswer, Resource } from '../api/types';
import { Empty, Panel, QueueLink, ResourcePicker, Trouble, chosenResource } from '../parts/bits';
import { DecisionList } from '../parts/decisions';
import { figuresOf } from '../parts/queue_tree';
import { TrackRecordPanel } from '../parts/track_record';
import { WorkloadTable, useWorkloads } from '../parts/workload_table';
import { QueueBar, QueueBarLegend, borrowedOf, extentOf } from '../pictures/queue_bar';
import { hrefOf } from '../route';
import { amount, count, inOrder, resourceLabel } from '../text/amounts';
import { UsagePanels } from './usage';

const kWorkloads = 20;
const kDecisions = 20;

function Bars({ queue, resources }: { queue: Queue; resources: Resource[] }) {
  return (
    <div class="queue-bars">
      {inOrder(resources).map(({ resource, index }) => {
        const figures = figuresOf(queue, index);
        const show = (value: number | null) => value === null ? '–' : amount(resource, value);
        const borrowed = borrowedOf(figures);
        return (
          <div class="queue-bar-row" key={resource.name}>
            <h3>{resourceLabel(resource.name)}</h3>
            <QueueBar figures={figures} whole={extentOf(figures)} />
            <dl class="facts-line">
              <div><dt>allocated</dt><dd>{show(figures.allocated)}</dd></div>
              <div><dt>borrowed</dt><dd>{borrowed ? show(borrowed) : 'nothing'}</dd></div>
              <div><dt>asked for</dt><dd>{show(figures.requested)}</dd></div>
              <div><dt>guaranteed</dt><dd>{show(figures.guaranteed)}</dd></div>
              <div><dt>fair share</dt><dd>{show(figures.fairShare)}</dd></div>
              <div><dt>limit</dt><dd>{figures.limit === null ? 'none' : show(figures.limit)}</dd></div>
            </dl>
          </div>
        );
      })}
      <QueueBarLegend />
    </div>
  );
}

export function QueueView({ name, params }: { name: string; params: URLSearchParams }) {
  const { data, failure } = usePoll<QueuesAnswer>('/api/v1/view/queues');
  const workloads = useWorkloads({ queue: name, limit: kWorkloads, sort: 'waiting' });
  const decisions = usePoll<DecisionsAnswer>(
    urlOf('/api/v1/history/decisions', { queue: name, limit: kDecisions }));
  const head = <h1><a class="up" href={hrefOf(['queues'])}>Queues</a> {name}</h1>;
  if (!data) return <><div class="view-head">{head}</div><Trouble failure={failure} /></>;
  const queue = data.queues.find((each) => each.name === name);
  if (!queue) {
    return <><div class="view-head">{head}</div><Empty>There is no queue “{name}”.</Empty></>;
  }
  const chosen = chosenResource(data.resources, params.get('r'));
  const guaranteed = chosen ? queue.guaranteed[chosen.index] ?? 0 : 0;
  return (
    <>
      <div class="view-head">
        {head}
        <ResourcePicker resources={data.resources} chosen={chosen?.resource.name ?? ''} />
      </div>
      {queue.ready && <p class="note-warn">This queue is not ready: {queue.ready}. What is in it
        stays pending.</p>}
      <p class="facts">
        {queue.parent ? <span>below <QueueLink name={queue.parent} /></span> : null}
        <span>{count(queue.runningWorkloads)} running</span>
        <span>{count(queue.pendingWorkloads)} pending</span>
      </p>
      <section class="panel"><Bars queue={queue} resources={data.resources} /></section>
      <UsagePanels resource={chosen?.resource.name ?? ''} queue={name} guaranteed={guaranteed}
        range={params.get('range') ?? ''} />
      <Panel title="Workloads" more={<a href={hrefOf(['workloads'], { queue: name })}>All of this
        queue</a>}>
        {workloads.data ? <WorkloadTable answer={workloads.data} />
          : <Trouble failure={workloads.failure} />}
      </Panel>
      <TrackRecordPanel queue={name} />
      <Panel title="Decisions" more={<a href={hrefOf(['timeline'], { queue: name })}>Timeline</a>}>
        {decisions.data ? <DecisionList rows={decisions.data.rows} />
          : <Trouble failure={decisions.failure} />}
      </Panel>
    </>
  );
}
