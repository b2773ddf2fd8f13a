// Who holds what of the nodes, by colour: those who hold the most have one of their own.
import type { NodesAnswer, Resource } from '../api/types';
import { hrefOf, queueHref, workloadHref } from '../route';
import { amount } from '../text/amounts';
import { Name } from './bits';

export const kHolderColours = 10;

export interface Holder {
  name: string; // empty: of other schedulers, or of nobody who is known
  colour: string; // of the style sheet
  amount: number;
}

// The most first; beyond kHolderColours all have one colour.
export function holdersOf(answer: NodesAnswer): Holder[] {
  const { names = [], shares = [] } = answer.holders ?? {};
  const sums = new Array<number>(names.length).fill(0);
  for (const node of shares) {
    for (let i = 0; i < node.length; i += 2) {
      const name = node[i] ?? 0;
      sums[name] = (sums[name] ?? 0) + (node[i + 1] ?? 0);
    }
  }
  const all = names.map((name, index) => ({ name, index, amount: sums[index] ?? 0 }))
    .sort((a, b) => b.amount - a.amount || a.name.localeCompare(b.name));
  // By name, so that a colour stays with its holder as long as the same ones hold the most.
  const coloured = all.filter(({ name }) => name !== '').slice(0, kHolderColours)
    .sort((a, b) => a.name.localeCompare(b.name));
  return all.map(({ name, amount: held }) => {
    const place = coloured.findIndex((each) => each.name === name);
    return { name, amount: held, colour: place < 0 ? 'holder-rest' : `holder-${place}` };
  });
}

// By node, the largest share first.
export function sharesOf(answer: NodesAnswer, holders: Holder[]): [string, number][][] {
  const { names = [], shares = [] } = answer.holders ?? {};
  const colours = new Map(holders.map(({ name, colour }) => [name, colour]));
  return shares.map((node) => {
    const sums = new Map<string, number>();
    for (let i = 0; i < node.length; i += 2) {
      const colour = colours.get(names[node[i] ?? 0] ?? '') ?? 'holder-rest';
      sums.set(colour, (sums.get(colour) ?? 0) + (node[i + 1] ?? 0));
    }
    return [...sums].sort((a, b) => b[1] - a[1]);
  });
}

const kHrefs: Record<string, (name: string) => string> = {
  queue: queueHref,
  workload: workloadHref,
  namespace: (name) => hrefOf(['workloads'], { namespace: name }),
  user: (name) => hrefOf(['workloads'], { user: name }),
};

export function HolderLegend(props: { holders: Holder[]; by: string; resource: Resource;
  free: number }) {
  const { holders, by, resource, free } = props;
  const own = holders.filter(({ colour }) => colour !== 'holder-rest');
  const rest = holders.filter(({ colour }) => colour === 'holder-rest')
    .reduce((sum, holder) => sum + holder.amount, 0);
  return (
    <ul class="legend map-legend">
      {own.map(({ name, colour, amount: held }) => (
        <li key={name}><i class={`key ${colour}`} />
          <a class="quiet-link" href={kHrefs[by]?.(name)}><Name name={name} /></a>{' '}
          <b>{amount(resource, held)}</b></li>
      ))}
      {rest > 0 && <li><i class="key holder-rest" />all others <b>{amount(resource, rest)}</b></li>}
      <li><i class="key use-1" />unused <b>{amount(resource, Math.max(0, free))}</b></li>
    </ul>
  );
}
