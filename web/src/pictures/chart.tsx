// Lines over time. The chart is made once and then given new data, so that a refresh is cheap and
// what is under the pointer stays there.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

import { day } from '../text/time';
import { type Colours, coloursOf } from './colours';

export interface Line {
  label: string;
  values: (number | null)[];
  colour: string; // a colour of the style sheet
  look?: 'area' | 'line' | 'dashed' | 'dotted';
  right?: boolean; // against the axis on the right
}

interface ChartProps {
  times: number[]; // seconds
  lines: Line[];
  height?: number;
  show: (value: number) => string; // what an amount is called
  showRight?: (value: number) => string;
  label: string; // what it shows, in words
  theme: string; // when it changes, colours are read anew
  atMost?: number; // the axis never ends below
}

const kDashes = { area: [], line: [], dashed: [6, 4], dotted: [2, 3] };
const kSync = 'fairlead';

// Steps of axes that show durations.
const kSeconds = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14400, 21600, 43200, 86400,
  172800, 604800, 1209600, 2592000];

// "06:30", with the day where it changes.
function timeLabels(_: uPlot, splits: number[]): string[] {
  let last = '';
  return splits.map((split) => {
    const iso = new Date(split * 1000).toISOString();
    const text = iso.slice(11, 16);
    const date = iso.slice(5, 10);
    const label = last !== '' && date !== last ? `${text}\n${date}` : text;
    last = date;
    return label;
  });
}

const stampOf = (seconds: number) => {
  const iso = new Date(seconds * 1000).toISOString();
  return `${day(iso)} ${iso.slice(11, 16)}`;
};

function axisOf(colours: Colours, rest: uPlot.Axis): uPlot.Axis {
  return {
    stroke: colours('muted'),
    grid: { stroke: colours('line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
    ...rest,
  };
}

function optionsOf(props: ChartProps, colours: Colours, width: number): uPlot.Options {
  const showing = (show: (value: number) => string) => (_: uPlot, value: number | null) =>
    value === null || value === undefined ? '–' : show(value);
  const right = props.showRight;
  const values = (show: (value: number) => string) => (_: uPlot, splits: number[]) =>
    splits.map((split) => show(split));
  const axes: uPlot.Axis[] = [
    axisOf(colours, { size: 34, space: 70, values: timeLabels }),
    axisOf(colours, { size: 56, space: 34, values: values(props.show) }),
  ];
  if (right) {
    axes.push(
      axisOf(colours, { scale: 'right', side: 1, size: 52, values: values(right), space: 40,
        incrs: kSeconds, grid: { show: false } }),
    );
  }
  const range = (atMost: number): uPlot.Range.Function => (_, __, most) =>
    [0, Math.max(atMost, (most ?? 0) * 1.08)];
  return {
    width,
    height: props.height ?? 200,
    // UTC, as everywhere.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { y: { range: range(props.atMost ?? 1) }, right: { range: range(1) } },
    axes,
    hooks: { setCursor: [showNewest] },
    cursor: { sync: { key: kSync }, drag: { x: false, y: false }, points: { size: 7 } },
    legend: { live: true },
    series: [
      { label: 'At', value: (_, seconds) => (seconds ? stampOf(seconds) : '–') },
      ...props.lines.map((line): uPlot.Series => {
        const look = line.look ?? 'line';
        return {
          label: line.label,
          scale: line.right ? 'right' : 'y',
          stroke: colours(line.colour),
          width: look === 'dotted' ? 1.25 : 1.75,
          dash: kDashes[look],
          ...(look === 'area' ? { fill: colours(`${line.colour}-soft`) } : {}),
          points: { show: false },
          value: showing(line.right && right ? right : props.show),
        };
      }),
    ],
  };
}

// Where no pointer is, the legend says how things are now.
function showNewest(plot: uPlot) {
  if ((plot.cursor.left ?? -1) < 0) plot.setLegend({ idx: plot.data[0].length - 1 }, false);
}

export function Chart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const { times, lines, theme } = props;
  // What changes the form of the chart, not only its data.
  const form = JSON.stringify([theme, props.height, props.atMost, lines.map(
    ({ label, colour, look, right }) => [label, colour, look, right])]);
  const data = [times, ...lines.map((line) => line.values)] as uPlot.AlignedData;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const made = new uPlot(optionsOf(props, coloursOf(element), element.clientWidth), data,
      element);
    plot.current = made;
    showNewest(made);
    const watch = new ResizeObserver(() => {
      if (element.clientWidth > 0) made.setSize({ width: element.clientWidth,
        height: props.height ?? 200 });
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.current = null;
      made.destroy();
      element.replaceChildren();
    };
  }, [form]);
  useEffect(() => {
    if (!plot.current) return;
    plot.current.setData(data);
    showNewest(plot.current);
  }, [times, lines]);

  return <div class="chart" role="img" aria-label={props.label} ref={box}
    style={{ minHeight: `${(props.height ?? 200) + 30}px` }} />;
}
