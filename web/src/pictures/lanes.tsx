// When what happened: a lane a type, a stroke a decision.
import { clock, day, secondsOf } from '../text/time';

export interface Stroke {
  time: string;
  type: string;
}

const kWidth = 1000;
const kLane = 18;

export function Lanes({ strokes, types }: { strokes: Stroke[]; types: string[] }) {
  const times = strokes.map((stroke) => secondsOf(stroke.time));
  const from = Math.min(...times);
  const to = Math.max(...times);
  const at = (seconds: number) => (to > from ? (kWidth * (seconds - from)) / (to - from) : kWidth);
  const ordered = strokes.map((stroke) => stroke.time).sort();
  const first = ordered[0];
  const last = ordered.at(-1);
  return (
    <figure class="lanes" aria-label="when decisions were made, by type">
      {types.map((type) => {
        const own = times.filter((_, index) => strokes[index]?.type === type);
        const path = [...new Set(own.map((seconds) => at(seconds).toFixed(1)))]
          .map((x) => `M${x} 2V${kLane - 2}`)
          .join('');
        return (
          <div class="lane" key={type}>
            <span class="lane-name">{type}</span>
            <svg viewBox={`-2 0 ${kWidth + 4} ${kLane}`} preserveAspectRatio="none" aria-hidden="true">
              <line class="lane-ground" x1="0" x2={kWidth} y1={kLane / 2} y2={kLane / 2} />
              <path class={`lane-strokes type-${type}`} d={path} />
            </svg>
            <span class="lane-count">{own.length}</span>
          </div>
        );
      })}
      {first && last && (
        <figcaption>
          <span>{day(first)} {clock(first)}</span>
          <span>{day(last) === day(first) ? '' : day(last)} {clock(last)}</span>
        </figcaption>
      )}
    </figure>
  );
}
