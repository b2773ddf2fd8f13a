// What was used over time, of the cluster or of a queue.
import { useMemo } from 'preact/hooks';

import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { UsageAnswer, UsagePoint } from '../api/types';
import { Choices, Empty, Panel, Trouble } from '../parts/bits';
import { usePage } from '../parts/context';
import { Chart, type Line } from '../pictures/chart';
import { bareAmount, count, resourceLabel, unitWord } from '../text/amounts';
import { duration, secondsOf, stamp } from '../text/time';

const kRanges = [
  { value: '1h', label: '1 h', seconds: 3600 },
  { value: '', label: '6 h', seconds: 6 * 3600 },
  { value: '1d', label: '1 day', seconds: 24 * 3600 },
  { value: '7d', label: '7 days', seconds: 7 * 24 * 3600 },
];
const kPoints = 300;
const kEveryMs = 2000;

export function useUsage(queue: string, range: string) {
  const { summary } = usePage();
  const seconds = kRanges.find(({ value }) => value === range)?.seconds ?? 6 * 3600;
  const from = summary && stamp(secondsOf(summary.now) - seconds);
  const url = from && urlOf('/api/v1/history/usage', { queue, from, points: kPoints });
  return usePoll<UsageAnswer>(url,
    { everyMs: kEveryMs, ...(url ? { key: `${queue} ${range}` } : {}) });
}

export const RangePicker = ({ range }: { range: string }) => (
  <Choices label="Range" param="range" value={range} choices={kRanges} />
);

const column = (points: UsagePoint[], pick: (point: UsagePoint) => (number | null)[] | null,
                index: number) => points.map((point) => pick(point)?.[index] ?? null);

interface UsageChartProps {
  answer: UsageAnswer | null;
  failure: Parameters<typeof Trouble>[0]['failure'];
  resource: string;
  queue: string;
  guaranteed?: number;
}

export function UsageChart({ answer, failure, resource, queue, guaranteed }: UsageChartProps) {
  const { theme } = usePage();
  const index = answer?.resources.findIndex(({ name }) => name === resource) ?? -1;
  const of = answer?.resources[index];
  const drawn = useMemo(() => {
    const points = answer?.points ?? [];
    const times = points.map(({ time }) => secondsOf(time));
    const lines: Line[] = [
      { label: 'Allocated', values: column(points, (p) => p.allocated, index), colour: 'accent',
        look: 'area' },
      { label: 'Asked for', values: column(points, (p) => p.requested, index), colour: 'wait',
        look: 'dotted' },
    ];
    if (queue === '') {
      lines.push({ label: 'Allocatable', values: column(points, (p) => p.allocatable, index),
        colour: 'muted', look: 'dashed' });
    } else {
      lines.push({ label: 'Fair share', values: column(points, (p) => p.fairShare, index),
        colour: 'fair', look: 'dashed' });
      if (guaranteed) {
        lines.push({ label: 'Guaranteed', values: points.map(() => guaranteed), colour: 'muted',
          look: 'line' });
      }
    }
    const most = Math.max(0, ...lines.flatMap(({ values }) => values.map((v) => v ?? 0)));
    return { times, lines, most };
  }, [answer, index, queue, guaranteed]);

  if (!answer) return <div class="chart-room"><Trouble failure={failure} /></div>;
  if (!of) return <div class="chart-room"><Empty>Nothing is known of {resource}.</Empty></div>;
  if (drawn.times.length < 2) {
    return <div class="chart-room"><Empty>A picture appears after two minutes of the cluster’s
      time.</Empty></div>;
  }
  const word = unitWord(of, drawn.most);
  const show = (value: number) => bareAmount(of, value, drawn.most);
  const last = drawn.lines[0]?.values.at(-1) ?? 0;
  return (
    <Chart times={drawn.times} lines={drawn.lines} show={show} theme={theme}
      atMost={of.scale === 1 ? 1 : of.scale}
      label={`${resourceLabel(resource)} allocated over time, in ${word || 'units'}: ` +
        `${show(last)} at the end`} />
  );
}

export function WaitingChart({ answer, failure }: Pick<UsageChartProps, 'answer' | 'failure'>) {
  const { theme } = usePage();
  const drawn = useMemo(() => {
    const points = answer?.points ?? [];
    const lines: Line[] = [
      { label: 'Pending', values: points.map((p) => p.pending), colour: 'wait', look: 'area' },
      { label: 'Running', values: points.map((p) => p.running), colour: 'run' },
      { label: 'Longest wait', values: points.map((p) => p.waitingMaxSeconds), colour: 'muted',
        look: 'dotted', right: true },
    ];
    return { times: points.map(({ time }) => secondsOf(time)), lines };
  }, [answer]);
  if (!answer) return <div class="chart-room"><Trouble failure={failure} /></div>;
  if (drawn.times.length < 2) return <div class="chart-room"><Empty>Nothing yet.</Empty></div>;
  const last = answer.points.at(-1);
  return (
    <Chart times={drawn.times} lines={drawn.lines} show={count} showRight={duration} theme={theme}
      atMost={5} label={`pods waiting over time: ${count(last?.pending ?? 0)} at the end`} />
  );
}

export function UsagePanels(props: { resource: string; queue: string; range: string;
  guaranteed?: number }) {
  const { data, failure } = useUsage(props.queue, props.range);
  const of = data?.resources.find(({ name }) => name === props.resource);
  const word = of ? unitWord(of, Math.max(0, ...(data?.points ?? []).flatMap((point) =>
    [point.allocated, point.requested, point.allocatable ?? []]
      .map((values) => values[data?.resources.indexOf(of) ?? 0] ?? 0)))) : '';
  return (
    <div class="two">
      <Panel title={`${resourceLabel(props.resource)} in use`}
        more={<span class="quiet unit">{word}</span>}>
        <UsageChart answer={data} failure={failure} {...props} />
      </Panel>
      <Panel title="Pods and waiting" more={<RangePicker range={props.range} />}>
        <WaitingChart answer={data} failure={failure} />
      </Panel>
    </div>
  );
}
