// Who ran, runs and will run when: a row a workload, under its queue. What is past is filled, what is
// expected is not; windows lie behind all of it.
import { workloadHref } from '../route';
import { clock, day, duration, moment, secondsBetween, secondsOf, stamp } from '../text/time';

export interface GanttRow {
  workload: string;
  queue: string;
  created: string;
  started: string | null;
  ended: string | null; // it is over
  runSeconds: number | null;
  expected: { at: string; from: string | null; until: string | null } | null;
  keptFrom: string | null; // room is kept for it
  evicted: string[];
}

export interface GanttBand {
  name: string;
  what: string;
  from: string;
  until: string | null;
}

interface GanttProps {
  rows: GanttRow[];
  bands: GanttBand[];
  from: number; // seconds
  to: number;
  now: string;
  colourOf: (queue: string) => string;
}

const kSteps = [60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800];
const kMostTicks = 7;

export function ticksOf(from: number, to: number): number[] {
  const step = kSteps.find((each) => (to - from) / each <= kMostTicks) ?? 604_800;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at < to; at += step) ticks.push(at);
  return ticks;
}

const tickText = (at: number, before: number | undefined) => {
  const time = stamp(at);
  const isNewDay = before === undefined || stamp(before).slice(0, 10) !== time.slice(0, 10);
  return isNewDay ? `${day(time)} ${clock(time).slice(0, 5)}` : clock(time).slice(0, 5);
};

interface Bar {
  kind: 'waits' | 'ran' | 'runs' | 'starts' | 'likely';
  from: number;
  to: number;
  text: string;
}

// Of one row, in the order in which they are drawn.
export function barsOf(row: GanttRow, now: string, to: number): Bar[] {
  const at = secondsOf(now);
  const say = (time: string) => moment(time, now);
  const bars: Bar[] = [];
  const created = secondsOf(row.created);
  const begun = row.started ? secondsOf(row.started) : row.ended ? secondsOf(row.ended) : at;
  if (begun > created) {
    bars.push({ kind: 'waits', from: created, to: begun,
      text: `waited ${duration(begun - created)} from ${say(row.created)}` });
  }
  if (row.started) {
    const end = row.ended ? secondsOf(row.ended) : at;
    bars.push({ kind: 'ran', from: begun, to: end, text: row.ended
      ? `ran ${duration(end - begun)}, from ${say(row.started)} until ${say(row.ended)}`
      : `runs since ${say(row.started)}` });
    const ends = row.runSeconds === null ? null : begun + row.runSeconds;
    if (!row.ended && ends !== null && ends > at) {
      bars.push({ kind: 'runs', from: at, to: ends, text: `expected to end at ${say(stamp(ends))}` });
    }
  } else if (row.expected && !row.ended) {
    const start = Math.max(at, secondsOf(row.expected.at));
    const ends = row.runSeconds === null ? to : start + row.runSeconds;
    bars.push({ kind: 'starts', from: start, to: ends, text: `expected to start at ${say(stamp(start))}`
      + (row.runSeconds === null ? '' : `, for ${duration(row.runSeconds)}`) });
    const { from, until } = row.expected;
    if (from && until && secondsBetween(from, until) > 0) {
      bars.push({ kind: 'likely', from: secondsOf(from), to: secondsOf(until),
        text: `likely to start between ${say(from)} and ${say(until)}` });
    }
  }
  return bars;
}

export function Gantt({ rows, bands, from, to, now, colourOf }: GanttProps) {
  const share = (seconds: number) => (100 * (seconds - from)) / (to - from);
  const place = (a: number, b: number) => {
    const left = Math.max(0, share(a));
    return { left: `${left}%`, width: `${Math.max(0, Math.min(100, share(b)) - left)}%` };
  };
  const inside = (a: number, b: number) => b >= from && a <= to;
  const at = secondsOf(now);
  const ticks = ticksOf(from, to);
  const queues = [...new Set(rows.map(({ queue }) => queue))].sort();
  const bandsHere = bands.filter((band) =>
    inside(secondsOf(band.from), band.until ? secondsOf(band.until) : to));
  const marks = (row: GanttRow) => [
    ...row.evicted.map((time) => ({ kind: 'evicted', at: secondsOf(time),
      text: `evicted at ${moment(time, now)}` })),
    ...(row.keptFrom ? [{ kind: 'kept', at: secondsOf(row.keptFrom),
      text: `room is kept for it from ${moment(row.keptFrom, now)}` }] : []),
  ].filter((mark) => inside(mark.at, mark.at));
  return (
    <div class="gantt">
      <div class="gantt-ground" aria-hidden="true">
        {bandsHere.map((band) => (
          <div class="gantt-band" key={band.name}
            style={place(secondsOf(band.from), band.until ? secondsOf(band.until) : to)} />
        ))}
        {ticks.map((tick) => <i class="gantt-tick" key={tick} style={{ left: `${share(tick)}%` }} />)}
        {inside(at, at) && <i class="gantt-now" style={{ left: `${share(at)}%` }} />}
      </div>
      <div class="gantt-row gantt-axis" aria-hidden="true">
        <span />
        <div class="gantt-track">
          {ticks.map((tick, index) => (
            <span key={tick} class={`gantt-time ${share(tick) < 6 ? 'gantt-first' : ''}`} style={{ left: `${share(tick)}%` }}>
              {tickText(tick, ticks[index - 1])}</span>
          ))}
        </div>
      </div>
      {bandsHere.length > 0 && (
        <ul aria-label="Windows">
          {bandsHere.map((band) => (
            <li class="gantt-row" key={band.name}>
              <span class="gantt-name">{band.name} <span class="quiet">{band.what}</span></span>
              <div class="gantt-track">
                <div class="gantt-bar gantt-window" title={band.what}
                  style={place(secondsOf(band.from), band.until ? secondsOf(band.until) : to)} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {queues.map((queue) => (
        <section key={queue}>
          <h2 class="gantt-queue"><i class={`key ${colourOf(queue)}`} />{queue || 'no queue'}</h2>
          <ul>
            {rows.filter((row) => row.queue === queue).map((row) => {
              const bars = barsOf(row, now, to).filter((bar) => inside(bar.from, bar.to));
              const shown = marks(row);
              return (
                <li class="gantt-row" key={row.workload}>
                  <a class="gantt-name name" href={workloadHref(row.workload)}
                    title={row.workload}>{row.workload}</a>
                  <div class="gantt-track">
                    {bars.map((bar) => (
                      <div key={bar.kind} class={`gantt-bar gantt-${bar.kind} ${colourOf(queue)}`}
                        title={bar.text} style={place(bar.from, bar.to)} />
                    ))}
                    {shown.map((mark) => (
                      <i key={`${mark.kind} ${mark.at}`} class={`gantt-mark gantt-${mark.kind}`}
                        title={mark.text} style={{ left: `${share(mark.at)}%` }} />
                    ))}
                    <span class="hidden">{[...bars, ...shown].map(({ text }) => text).join('; ')}</span>
                  </div>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </div>
  );
}
