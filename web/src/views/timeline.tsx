import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { DecisionsAnswer, FacetsAnswer } from '../api/types';
import { Choices, FilterField, Panel, Trouble } from '../parts/bits';
import { usePage } from '../parts/context';
import { DecisionList } from '../parts/decisions';
import { Lanes } from '../pictures/lanes';
import { setParams } from '../route';
import { secondsOf, stamp } from '../text/time';

const kPage = 200;
// Those that are always offered, in the order of their lanes.
const kTypes = ['Bind', 'Admit', 'Evict', 'Nominate', 'Reserve', 'Lend', 'Stop', 'Finish'];
const kFromNewest = { before: undefined };
const kRanges = [
  { value: '', label: 'all' },
  { value: '15m', label: '15 min', seconds: 900 },
  { value: '1h', label: '1 h', seconds: 3600 },
  { value: '6h', label: '6 h', seconds: 6 * 3600 },
  { value: '1d', label: '1 day', seconds: 24 * 3600 },
];
const kLines = [
  { value: '', label: 'Folded' },
  { value: 'all', label: 'Each pod' },
];

function Rows({ params }: { params: URLSearchParams }) {
  const { summary } = usePage();
  const value = (name: string) => params.get(name) ?? undefined;
  const before = value('before');
  const seconds = kRanges.find((range) => range.value === value('range'))?.seconds;
  const from = seconds && summary ? stamp(secondsOf(summary.now) - seconds) : value('from');
  const asked = {
    type: value('type'),
    queue: value('queue'),
    workload: value('workload'),
    user: value('user'),
    q: value('q'),
    to: value('to'),
    before,
    limit: kPage,
  };
  const { data, failure } = usePoll<DecisionsAnswer>(
    urlOf('/api/v1/history/decisions', { ...asked, from }),
    { key: JSON.stringify([asked, seconds ?? from]) });
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
        <DecisionList rows={data.rows} each={params.get('lines') === 'all'} />
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
  const facets = usePoll<FacetsAnswer>('/api/v1/view/facets', { everyMs: 10_000 }).data;
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
        <Choices label="Range" param="range" value={value('range')} choices={kRanges}
          also={kFromNewest} />
        <Choices label="Lines" param="lines" value={value('lines')} choices={kLines} />
      </div>
      <div class="filters">
        <FilterField label="Text" param="q" value={value('q')} also={kFromNewest} />
        <FilterField label="Queue" param="queue" value={value('queue')} also={kFromNewest}
          options={facets?.queues} />
        <FilterField label="Workload" param="workload" value={value('workload')}
          also={kFromNewest} />
        <FilterField label="User" param="user" value={value('user')} also={kFromNewest}
          options={facets?.users} />
      </div>
      <Rows params={params} />
    </>
  );
}
