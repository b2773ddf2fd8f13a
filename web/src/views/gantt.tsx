// The past from the history, the present, and what is expected.
import { useMemo } from 'preact/hooks';

import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { AheadAnswer, DecisionsAnswer, EndedAnswer, FacetsAnswer, WorkloadRow, WorkloadsAnswer }
  from '../api/types';
import { Choices, Empty, FilterField, Trouble } from '../parts/bits';
import { usePage } from '../parts/context';
import { kHolderColours } from '../parts/holders';
import { Gantt, type GanttBand, type GanttRow } from '../pictures/gantt';
import { setParams } from '../route';
import { counted } from '../text/amounts';
import { day, clock, secondsOf, stamp } from '../text/time';

const kRanges = [
  { value: '1h', label: '1 h', seconds: 3600 },
  { value: '', label: '6 h', seconds: 6 * 3600 },
  { value: '1d', label: '1 day', seconds: 24 * 3600 },
  { value: '7d', label: '7 days', seconds: 7 * 24 * 3600 },
];
const kPast = 0.6; // of the range, where nobody has moved it
const kMoves = 0.5; // of the range, a press
const kMostRunning = 60;
const kMostWaiting = 40;
const kMostEnded = 60;
const kMostEvictions = 500;
const kLiveMs = 2000;
const kPastMs = 5000;

const ofLive = (row: WorkloadRow): GanttRow => ({
  workload: row.workload,
  queue: row.queue,
  created: row.created,
  started: row.state === 'Running' ? row.started : null,
  ended: null,
  runSeconds: row.runSeconds,
  expected: row.expectedStart,
  keptFrom: null,
  evicted: [],
});

const kStates = ['running', 'waiting', 'ended'];

interface Around {
  from: number;
  to: number;
  queue: string;
  q: string;
}

// The largest of those that run, those that start next, and those that ended.
function useRows({ from, to, queue, q }: Around) {
  const span = { queue, q };
  const key = JSON.stringify([queue, q, Math.round((to - from) / 60)]);
  const running = usePoll<WorkloadsAnswer>(urlOf('/api/v1/view/workloads',
    { ...span, state: 'Running', sort: 'asks', limit: kMostRunning }), { everyMs: kLiveMs });
  const waiting = usePoll<WorkloadsAnswer>(urlOf('/api/v1/view/workloads',
    { ...span, state: 'Pending', waits: 'turn', sort: 'starts', limit: kMostWaiting }),
  { everyMs: kLiveMs });
  const ended = usePoll<EndedAnswer>(urlOf('/api/v1/history/workloads',
    { ...span, from: stamp(from), limit: kMostEnded }), { everyMs: kPastMs, key: `ended ${key}` });
  const evictions = usePoll<DecisionsAnswer>(urlOf('/api/v1/history/decisions',
    { queue, type: 'Evict', from: stamp(from), to: stamp(to), limit: kMostEvictions }),
  { everyMs: kPastMs, key: `evictions ${key}` });
  const ahead = usePoll<AheadAnswer>('/api/v1/view/ahead', { everyMs: kPastMs });
  const rows = useMemo(() => {
    const all = new Map<string, GanttRow>();
    for (const row of ended.data?.rows ?? []) {
      all.set(row.workload, { workload: row.workload, queue: row.queue ?? '', created: row.created,
        started: row.started ?? null, ended: row.finished, runSeconds: null, expected: null,
        keptFrom: null, evicted: [] });
    }
    for (const row of [...running.data?.rows ?? [], ...waiting.data?.rows ?? []]) {
      all.set(row.workload, ofLive(row));
    }
    for (const { workload, at } of ahead.data?.reservations ?? []) {
      const row = all.get(workload);
      if (row) row.keptFrom = at;
    }
    for (const { workload, time } of evictions.data?.rows ?? []) {
      const row = all.get(workload ?? '');
      if (row && !row.evicted.includes(time)) row.evicted.push(time);
    }
    const firstOf = (row: GanttRow) => row.started ?? row.expected?.at ?? row.created;
    return [...all.values()].sort((a, b) => secondsOf(firstOf(a)) - secondsOf(firstOf(b))
      || a.workload.localeCompare(b.workload));
  }, [running.data, waiting.data, ended.data, evictions.data, ahead.data]);
  const lists = [running, waiting];
  const left = lists.reduce((sum, { data }) =>
    sum + (data ? data.matching - data.rows.length : 0), 0) + (ended.data?.more ? 1 : 0);
  return { rows, ahead: ahead.data, left, ready: lists.every(({ data }) => data !== null),
    failure: running.failure };
}

function Legend() {
  return (
    <ul class="legend">
      <li><i class="key gantt-waits" />waits</li>
      <li><i class="key gantt-ran holder-0" />ran, runs</li>
      <li><i class="key gantt-runs holder-0" />expected to run on</li>
      <li><i class="key gantt-starts holder-0" />expected to start</li>
      <li><i class="gantt-mark gantt-evicted" />evicted</li>
      <li><i class="gantt-mark gantt-kept" />room is kept from then</li>
      <li><i class="key gantt-window" />window</li>
    </ul>
  );
}

export function GanttView({ params }: { params: URLSearchParams }) {
  const { summary } = usePage();
  const facets = usePoll<FacetsAnswer>('/api/v1/view/facets', { everyMs: 10_000 }).data;
  const value = (name: string) => params.get(name) ?? '';
  const seconds = kRanges.find((range) => range.value === value('range'))?.seconds ?? 6 * 3600;
  const shift = Number(params.get('shift')) || 0; // in ranges
  const now = summary?.now ?? '';
  const from = (summary ? secondsOf(now) : 0) + (shift - kPast) * seconds;
  const to = from + seconds;
  const { rows, ahead, left, ready, failure } =
    useRows({ from, to, queue: value('queue'), q: value('q') });
  const hidden = new Set(value('without').split(',').filter(Boolean));
  const kindOf = (row: GanttRow) => (row.ended ? 'ended' : row.started ? 'running' : 'waiting');
  const isHere = (row: GanttRow) => secondsOf(row.created) <= to
    && (row.ended === null || secondsOf(row.ended) >= from);
  const shown = rows.filter((row) => isHere(row) && !hidden.has(kindOf(row)));
  const queues = [...new Set(rows.map(({ queue }) => queue))].sort();
  const bands: GanttBand[] = (ahead?.windows ?? []).map((window) => ({
    name: window.name,
    what: `${counted(window.nodes, 'node')} for ` +
      (window.queues.length > 0 ? window.queues.join(', ') : 'nobody'),
    from: window.from,
    until: window.until,
  }));
  const move = (by: number) => () =>
    setParams({ shift: shift + by === 0 ? undefined : String(shift + by) }, 'replace');
  const toggle = (kind: string) => () => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    setParams({ without: [...next].join(',') || undefined }, 'replace');
  };
  return (
    <>
      <div class="view-head">
        <h1>Gantt</h1>
        <Choices label="Range" param="range" value={value('range')} choices={kRanges}
          also={{ shift: undefined }} />
        <div class="choices" role="group" aria-label="Move">
          <button type="button" onClick={move(-kMoves)}>Earlier</button>
          <button type="button" aria-pressed={shift === 0} onClick={move(-shift)}>Now</button>
          <button type="button" onClick={move(kMoves)}>Later</button>
        </div>
        <div class="choices" role="group" aria-label="What is shown">
          {kStates.map((kind) => (
            <button type="button" key={kind} aria-pressed={!hidden.has(kind)}
              onClick={toggle(kind)}>{kind}</button>
          ))}
        </div>
      </div>
      <div class="filters">
        <FilterField label="Name" param="q" value={value('q')} />
        <FilterField label="Queue" param="queue" value={value('queue')} options={facets?.queues} />
        {summary && <span class="quiet">{day(stamp(from))} {clock(stamp(from)).slice(0, 5)} –{' '}
          {day(stamp(to))} {clock(stamp(to)).slice(0, 5)} UTC</span>}
      </div>
      <section class="panel">
        <Legend />
        {!ready || !summary ? <Trouble failure={failure} /> : shown.length === 0 ? (
          <Empty>Nothing ran, runs or is expected in this time.</Empty>
        ) : (
          <Gantt rows={shown} bands={bands} from={from} to={to} now={now}
            colourOf={(queue) => `holder-${queues.indexOf(queue) % kHolderColours}`} />
        )}
        {left > 0 && <p class="quiet gantt-left">Shown are the {kMostRunning} that run and ask most,
          the {kMostWaiting} that start next, and the {kMostEnded} that ended last. A queue or a
          name narrows it.</p>}
      </section>
    </>
  );
}
