import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { DecisionsAnswer, QueuesAnswer } from '../api/types';
import { Choices, FilterField, Panel, Trouble } from '../parts/bits';
import { DecisionList } from '../parts/decisions';
import { Lanes } from '../pictures/lanes';
import { setParams } from '../route';

const kPage = 200;
// Those that are always offered, in the order of their lanes.
const kTypes = ['Bind', 'Admit', 'Evict', 'Nominate', 'Reserve', 'Stop'];
const kFromNewest = { before: undefined };

function Rows({ params }: { params: URLSearchParams }) {
  const value = (name: string) => params.get(name) ?? undefined;
  const before = value('before');
  const { data, failure } = usePoll<DecisionsAnswer>(urlOf('/api/v1/history/decisions', {
    type: value('type'),
    queue: value('queue'),
    workload: value('workload'),
    user: value('user'),
    q: value('q'),
    from: value('from'),
    to: value('to'),
    before,
    limit: kPage,
  }));
  if (!data || (failure && failure.status >= 400)) return <Trouble failure={failure} />;
  const seen = new Set(data.rows.map((row) => row.type));
  const types = [...kTypes.filter((type) => seen.has(type)),
    ...[...seen].filter((type) => !kTypes.includes(type)).sort()];
  const oldest = data.rows.at(-1);
  return (
    <>
      {data.rows.length > 1 && (
        <Panel title={before ? 'These decisions' : 'The newest decisions'}>
          <Lanes strokes={data.rows} types={types} />
        </Panel>
      )}
      <section class="panel">
        <DecisionList rows={data.rows} />
        <nav class="pager" aria-label="Pages">
          <button type="button" disabled={!before} onClick={() => setParams(kFromNewest)}>
            Newest</button>
          <button type="button" disabled={!data.more || !oldest}
            onClick={() => setParams({ before: String(oldest?.seq ?? '') })}>Older</button>
        </nav>
      </section>
    </>
  );
}

export function TimelineView({ params }: { params: URLSearchParams }) {
  const queues = usePoll<QueuesAnswer>('/api/v1/view/queues', { everyMs: 10_000 });
  const value = (name: string) => params.get(name) ?? '';
  const type = value('type');
  const types = type && !kTypes.includes(type) ? [...kTypes, type] : kTypes;
  return (
    <>
      <div class="view-head">
        <h1>Timeline</h1>
        <Choices label="Type" param="type" value={type} also={kFromNewest}
          choices={[{ value: '', label: 'All' },
            ...types.map((name) => ({ value: name, label: name }))]} />
      </div>
      <div class="filters">
        <FilterField label="Text" param="q" value={value('q')} also={kFromNewest} />
        <FilterField label="Queue" param="queue" value={value('queue')} also={kFromNewest}
          options={queues.data?.queues.map((queue) => queue.name) ?? []} />
        <FilterField label="Workload" param="workload" value={value('workload')}
          also={kFromNewest} />
        <FilterField label="User" param="user" value={value('user')} also={kFromNewest} />
      </div>
      <Rows params={params} />
    </>
  );
}
