import { usePoll } from '../api/poll';
import type { FacetsAnswer } from '../api/types';
import { Choices, FilterField, SelectField, Trouble } from '../parts/bits';
import { usePage } from '../parts/context';
import { EndedTable } from '../parts/ended_table';
import { Pager } from '../parts/pager';
import { WorkloadTable, useWorkloads } from '../parts/workload_table';

const kPage = 100;
const kSorts = [
  { value: '', label: 'longest waiting' },
  { value: 'starts', label: 'starts first' },
  { value: 'asks', label: 'asks most' },
  { value: 'created', label: 'newest' },
  { value: 'name', label: 'name' },
  { value: 'priority', label: 'priority' },
  { value: 'queue', label: 'queue' },
];
const kReset = { offset: undefined, before: undefined };
const kFilters = ['namespace', 'user', 'reason', 'waits'];

function Live({ params }: { params: URLSearchParams }) {
  const value = (name: string) => params.get(name) ?? undefined;
  const offset = Math.max(0, Number(params.get('offset')) || 0);
  const { data, failure } = useWorkloads({
    state: value('state'),
    queue: value('queue'),
    ...Object.fromEntries(kFilters.map((name) => [name, value(name)])),
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
  const facets = usePoll<FacetsAnswer>('/api/v1/view/facets', { everyMs: 10_000 }).data;
  const count = summary?.workloads;
  const state = params.get('state') ?? '';
  const live = state !== 'ended';
  const value = (name: string) => params.get(name) ?? '';
  const states = [
    { value: '', label: 'All' },
    { value: 'Pending', label: 'Pending', count: count?.pending },
    { value: 'Admitted', label: 'Admitted', count: count?.admitted },
    { value: 'Running', label: 'Running', count: count?.running },
    { value: 'Finished', label: 'Finished', count: count?.finished },
    { value: 'ended', label: 'History' },
  ];
  const waits = [
    { value: '', label: 'All that wait' },
    { value: 'turn', label: 'Their turn' },
    { value: 'never', label: 'Can never start', count: count?.hopeless },
  ];
  return (
    <>
      <div class="view-head">
        <h1>Workloads</h1>
        <Choices label="State" param="state" value={state} choices={states}
          also={{ ...kReset, waits: undefined, reason: undefined }} />
        {state === 'Pending' && (
          <Choices label="What they wait for" param="waits" value={value('waits')} choices={waits}
            also={kReset} />
        )}
      </div>
      <div class="filters">
        <FilterField label="Name" param="q" value={value('q')} also={kReset} />
        <FilterField label="Queue" param="queue" value={value('queue')} also={kReset}
          options={facets?.queues} />
        {live && (
          <>
            <FilterField label="Namespace" param="namespace" value={value('namespace')}
              also={kReset} options={facets?.namespaces} />
            <FilterField label="User" param="user" value={value('user')} also={kReset}
              options={facets?.users} />
            <FilterField label="Reason" param="reason" value={value('reason')} also={kReset}
              options={facets?.reasons} />
            <SelectField label="Order" param="sort" value={value('sort')} choices={kSorts}
              also={kReset} />
          </>
        )}
      </div>
      {live ? <Live params={params} /> : <EndedTable params={params} />}
    </>
  );
}
