// How long things took: for every percent, what so many did not exceed. Seconds on a logarithmic
// axis, so that a wait of a minute and one of a day can both be read.
import { duration } from '../text/time';

export interface Curve {
  label: string;
  percent: number[];
  seconds: number[];
}

const kWidth = 640;
const kHeight = 220;
const kLeft = 40;
const kBottom = 24;
const kTop = 8;
const kTicks = [1, 10, 60, 600, 3600, 6 * 3600, 86_400, 7 * 86_400, 30 * 86_400];
export const kCurveLooks = 6;

export function Distribution({ curves, label }: { curves: Curve[]; label: string }) {
  const most = Math.max(60, ...curves.flatMap(({ seconds }) => seconds));
  // What took less than a second stands at the left edge.
  const x = (seconds: number) =>
    kLeft + ((kWidth - kLeft - 8) * Math.log10(Math.max(1, seconds))) / Math.log10(most);
  const y = (percent: number) => kTop + ((kHeight - kTop - kBottom) * (100 - percent)) / 100;
  const pathOf = ({ percent, seconds }: Curve) =>
    percent.map((p, i) => `${i ? 'L' : 'M'}${x(seconds[i] ?? 0).toFixed(1)} ${y(p).toFixed(1)}`)
      .join('');
  return (
    <figure class="distribution">
      <svg viewBox={`0 0 ${kWidth} ${kHeight}`} role="img" aria-label={label}>
        {[0, 25, 50, 75, 100].map((percent) => (
          <g key={percent}>
            <line class="grid" x1={kLeft} x2={kWidth - 8} y1={y(percent)} y2={y(percent)} />
            <text x={kLeft - 6} y={y(percent) + 4} text-anchor="end">{percent}%</text>
          </g>
        ))}
        {kTicks.filter((tick) => tick <= most).map((tick) => (
          <g key={tick}>
            <line class="grid" x1={x(tick)} x2={x(tick)} y1={kTop} y2={kHeight - kBottom} />
            <text x={x(tick)} y={kHeight - 6} text-anchor="middle">{duration(tick)}</text>
          </g>
        ))}
        {curves.map((curve, index) => (
          <path key={curve.label} class={`curve look-${index % kCurveLooks}`} d={pathOf(curve)} />
        ))}
      </svg>
      {curves.length > 1 && (
        <ul class="legend">
          {curves.map(({ label: name }, index) => (
            <li key={name}>
              <svg viewBox="0 0 24 8" class="curve-key" aria-hidden="true">
                <path class={`curve look-${index % kCurveLooks}`} d="M0 4H24" />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}
