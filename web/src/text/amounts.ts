// Amounts as people write them: 7.5 GPUs, 62 cores, 480 GiB.
import type { Amounts, Resource } from '../api/types';

const kBinary = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

const plain = (digits: number) =>
  new Intl.NumberFormat('en-US', { maximumFractionDigits: digits });
const formats = [plain(0), plain(1), plain(2)] as const;

export const count = (value: number) => formats[0].format(value);

// At most three figures behind the start of a number: 1,234 or 98.5 or 7.25.
export function number(value: number): string {
  const size = Math.abs(value);
  return formats[size >= 1000 ? 0 : size >= 10 ? 1 : 2].format(value);
}

export const counted = (value: number, one: string, many = `${one}s`) =>
  `${count(value)} ${value === 1 ? one : many}`;

interface Name {
  base: string; // without the flavor
  flavor: string; // "a100" of "nvidia.com/gpu[a100]"
}

function nameOf(resource: string): Name {
  const open = resource.indexOf('[');
  if (open < 0) return { base: resource, flavor: '' };
  return { base: resource.slice(0, open), flavor: resource.slice(open + 1, -1) };
}

export const isGpu = (resource: string) => /(^|\/)gpu(-milli)?$/.test(nameOf(resource).base);

function isBytes(resource: string): boolean {
  const { base } = nameOf(resource);
  return base === 'memory' || base.endsWith('storage') || base.startsWith('hugepages-');
}

// "GPUs", "CPU", "Memory", else the name itself.
export function resourceLabel(resource: string): string {
  const { base, flavor } = nameOf(resource);
  const known: Record<string, string> = {
    cpu: 'CPU',
    memory: 'Memory',
    'nvidia.com/gpu': 'GPUs',
    gpu: 'GPUs',
    pods: 'Pods',
  };
  const label = known[base] ?? (isGpu(base) ? `GPUs ${base.split('/')[0]}` : base);
  return flavor ? `${label} ${flavor}` : label;
}

interface Unit {
  divisor: number;
  word: string;
}

function unitOf(resource: Resource, largest: number): Unit {
  const { base } = nameOf(resource.name);
  if (isBytes(resource.name)) {
    let power = 0;
    // 1,000 GiB is easier to compare with 480 GiB than 0.98 TiB is.
    for (let rest = largest / resource.scale; rest >= 10_240 && power < 6; rest /= 1024) power++;
    if (power < 3 && largest / resource.scale >= 1024 ** 3) power = 3;
    return { divisor: resource.scale * 1024 ** power, word: kBinary[power] ?? '' };
  }
  const units = largest / resource.scale;
  if (base === 'cpu') return { divisor: resource.scale, word: units === 1 ? 'core' : 'cores' };
  if (isGpu(base)) return { divisor: resource.scale, word: units === 1 ? 'GPU' : 'GPUs' };
  if (base === 'pods') return { divisor: resource.scale, word: units === 1 ? 'pod' : 'pods' };
  return { divisor: resource.scale, word: '' };
}

const joined = (value: string, word: string) => (word ? `${value} ${word}` : value);

// "480 GiB"
export function amount(resource: Resource, value: number): string {
  const unit = unitOf(resource, value);
  return joined(number(value / unit.divisor), unit.word);
}

// "480" beside others of which `largest` is the largest: all in one unit.
export function bareAmount(resource: Resource, value: number, largest: number): string {
  return number(value / unitOf(resource, largest).divisor);
}

export const unitWord = (resource: Resource, largest: number) => unitOf(resource, largest).word;

// "6,174 / 9,000 GiB"
export function amountOf(resource: Resource, part: number, whole: number): string {
  const unit = unitOf(resource, Math.max(part, whole));
  return joined(`${number(part / unit.divisor)} / ${number(whole / unit.divisor)}`, unit.word);
}

// "8 GPUs, 64 cores, 480 GiB": what is not zero.
export function amounts(resources: Resource[], values: Amounts): string {
  const parts = inOrder(resources).flatMap(({ resource, index }) => {
    const value = values[index] ?? 0;
    return value ? [amount(resource, value)] : [];
  });
  return parts.join(', ') || '–';
}

export const percent = (part: number, whole: number) =>
  whole > 0 ? `${Math.round((100 * part) / whole)}%` : '–';

const rank = (name: string) =>
  isGpu(name) ? 0 : nameOf(name).base === 'cpu' ? 1 : nameOf(name).base === 'memory' ? 2 : 3;

// GPUs first, then CPU, memory and the rest, with where each stands in the arrays.
export function inOrder<R extends Resource>(resources: R[]): { resource: R; index: number }[] {
  return resources
    .map((resource, index) => ({ resource, index }))
    .sort((a, b) => rank(a.resource.name) - rank(b.resource.name) || a.index - b.index);
}
