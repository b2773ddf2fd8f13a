// Figures by name, and as people write them.
import { count, number } from '../text/amounts';
import { duration } from '../text/time';
import type { Figure } from './types';

export const valueOf = (figures: Figure[], name: string, of = ''): number | null =>
  figures.find((figure) => figure.name === name && figure.of === of)?.value ?? null;

// "4m30s", "62.5%", "1,204 GPU h", "17".
export function show(value: number, unit: string): string {
  if (unit === 's') return value > 0 && value < 10 ? `${number(value)}s` : duration(value);
  if (unit === '%') return `${number(value)}%`;
  if (unit === '') return Number.isInteger(value) ? count(value) : value.toFixed(2);
  return `${number(value)} ${unit}`;
}

const kNames: Record<string, string> = {
  waiting: 'Waiting',
  completion: 'Completion',
  slowdown: 'Slowdown',
  makespan: 'Makespan',
  fragmentation: 'GPUs lost to fragmentation',
  utilisation: 'Utilisation',
  goodput: 'Goodput',
  used: 'Used',
  evictions: 'Pods evicted',
  lost: 'Work lost',
  'lost.percent': 'Work lost, of all',
  'stops.count': 'Workloads stopped',
  'stops.most': 'Stops of one workload, most',
  'stops.again': 'Stops within an hour of the last',
  'fairness.jain': 'Jain’s index of fairness',
  'fairness.deviation': 'Deviation from fair shares',
  'guarantee.missing': 'Guaranteed, and not had',
  'reclaim.count': 'Times a guarantee was lacking',
  'gangs.within': 'Gangs within one domain',
  'pairs.nearest': 'Pairs of a gang’s pods, by what they share',
  'domains.free': 'Domains wholly free',
  'domains.free.percent': 'Domains wholly free, of all',
  'workloads.submitted': 'Workloads submitted',
  'workloads.started': 'Workloads started',
  'workloads.finished': 'Workloads finished',
  'workloads.pending': 'Workloads never started',
};
const kParts: Record<string, string> = {
  mean: 'mean', p50: 'median', p95: '95th percentile', p99: '99th percentile', max: 'longest',
};

// "Waiting, 95th percentile"
export function titleOf(name: string): string {
  const known = kNames[name];
  if (known) return known;
  const dot = name.lastIndexOf('.');
  const base = name.slice(0, dot);
  const word = base === 'reclaim' ? 'Guarantee lacking' : (kNames[base] ?? base);
  return `${word}, ${kParts[name.slice(dot + 1)] ?? name.slice(dot + 1)}`;
}

// "size 9-16 GPUs" is 9; what has no number comes first.
const sizeOf = (of: string) => Number(/\d+/.exec(of)?.[0] ?? 0);

// Whose they are: queues by name, sizes by size.
export function groupsOf(figures: { name: string; of: string }[], name: string, kind: string) {
  const groups = figures
    .filter((figure) => figure.name === name && figure.of.startsWith(`${kind} `))
    .map((figure) => figure.of);
  return kind === 'size' ? groups.sort((a, b) => sizeOf(a) - sizeOf(b)) : groups;
}

export const withoutKind = (of: string) => of.slice(of.indexOf(' ') + 1);
