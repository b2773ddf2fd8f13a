import { usePoll } from '../api/poll';
import type { QueuesAnswer } from '../api/types';
import { Choices, FilterField, Trouble } from '../parts/bits';
import { usePage } from '../parts/context';
import { EndedTable } from '../parts/ended_table';
import { Pager } from '../parts/pager';
import { WorkloadTable, useWorkloads } from '../parts/workload_table';

const kPage = 100;
const kSorts = [
  { value: '', label: 'longest waiting' },
  { value: 'created', label: 'created' },
  { value: 'name', label: 'name' },
  { value: 'priority', label: 'priority' },
  { value: 'queue', label: 'queue' },
];
const kReset = { offset: undefined };

function Live({ params }: { params: URLSearchParams }) {
  const value = (name: string) => params.get(name) ?? undefined;
  const offset = Math.max(0, Number(params.get('offset')) || 0);
  const { data, failure } = useWorkloads({
    state: value('state'),
    queue: value('queue'),
    q: value('q'),
    sort: value('sort') ?? 'waiting',
    offset,
    limit: kPage,
  });
  // A filter that is wrong in the address is said instead of what it was before.
  if (!data || (failure && failure.status >= 400)) return <Trouble failure={failure} />;
  return (
    <section class="panel">
      <WorkloadTable answer={data} />
      <Pager offset={offset} limit={kPage} matching={data.matching} />
    </section>
  );
}

export function WorkloadsView({ params }: { params: URLSearchParams }) {
  const { summary } = usePage();
  const queues = usePoll<QueuesAnswer>('/api/v1/view/queues', { everyMs: 10_000 });
  const count = summary?.workloads;
  const state = params.get('state') ?? '';
  const states = [
    { value: '', label: 'All' },
    { value: 'Pending', label: 'Pending', count: count?.pending },
    { value: 'Admitted', label: 'Admitted', count: count?.admitted },
    { value: 'Running', label: 'Running', count: count?.running },
    { value: 'Finished', label: 'Finished', count: count?.finished },
    { value: 'ended', label: 'History' },
  ];
  return (
    <>
      <div class="view-head">
        <h1>Workloads</h1>
        <Choices label="State" param="state" value={state} choices={states} also={kReset} />
      </div>
      <div class="filters">
        <FilterField label="Name" param="q" value={params.get('q') ?? ''} also={kReset} />
        <FilterField label="Queue" param="queue" value={params.get('queue') ?? ''} also={kReset}
          options={queues.data?.queues.map((queue) => queue.name) ?? []} />
        {state !== 'ended' && (
          <Choices label="Order" param="sort" value={params.get('sort') ?? ''} choices={kSorts}
            also={kReset} />
        )}
      </div>
      {state === 'ended' ? <EndedTable params={params} /> : <Live params={params} />}
    </>
  );
}
