import type { Queue } from '../api/types';
import type { QueueFigures } from '../pictures/queue_bar';

export interface Row {
  queue: Queue;
  depth: number;
  children: number;
}

export const figuresOf = (queue: Queue, index: number): QueueFigures => ({
  guaranteed: queue.guaranteed[index] ?? 0,
  limit: queue.limit[index] ?? null,
  requested: queue.requested[index] ?? 0,
  allocated: queue.allocated[index] ?? 0,
  fairShare: queue.fairShare[index] ?? null,
});

// The queues from the roots down, children behind their parent, without those below folded ones.
// A queue whose parent is not there, or above itself, stands as a root.
export function rowsOf(queues: Queue[], folded: Set<string>): Row[] {
  const names = new Set(queues.map((queue) => queue.name));
  const below = new Map<string, Queue[]>();
  for (const queue of queues) {
    const parent = queue.parent && names.has(queue.parent) ? queue.parent : '';
    below.set(parent, [...(below.get(parent) ?? []), queue]);
  }
  const rows: Row[] = [];
  const seen = new Set<string>();
  const walk = (parent: string, depth: number, shown: boolean) => {
    for (const queue of below.get(parent) ?? []) {
      if (seen.has(queue.name)) continue;
      seen.add(queue.name);
      const children = below.get(queue.name)?.length ?? 0;
      if (shown) rows.push({ queue, depth, children });
      walk(queue.name, depth + 1, shown && !folded.has(queue.name));
    }
  };
  walk('', 0, true);
  for (const queue of queues) {
    if (!seen.has(queue.name)) rows.push({ queue, depth: 0, children: 0 });
  }
  return rows;
}
