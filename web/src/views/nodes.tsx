import { useMemo } from 'preact/hooks';

import { usePoll } from '../api/poll';
import { urlOf } from '../api/client';
import type { DomainsAnswer, LabelsAnswer, NodesAnswer, Resource } from '../api/types';
import { Choices, Empty, FilterField, ResourcePicker, SelectField, Trouble, chosenResource }
  from '../parts/bits';
import { usePage } from '../parts/context';
import { HolderLegend, holdersOf, sharesOf } from '../parts/holders';
import { NodePanel } from '../parts/node_panel';
import { NodeTable } from '../parts/node_table';
import { DomainsPicture } from './domains';
import { NodeMap } from '../pictures/node_map';
import { type MapNode, kSteps, stepOf } from '../pictures/node_map_draw';
import { go, hrefOf } from '../route';
import { amountOf, bareAmount, count, counted, percent, resourceLabel } from '../text/amounts';

const kOrders = [
  { value: '', label: 'by name' },
  { value: 'use', label: 'by use' },
];
const kShown = [
  { value: '', label: 'Map' },
  { value: 'table', label: 'Table' },
];
const kColours = [
  { value: '', label: 'by use' },
  { value: 'queue', label: 'by queue' },
  { value: 'namespace', label: 'by namespace' },
  { value: 'user', label: 'by user' },
  { value: 'workload', label: 'by workload' },
];
const kDomains = { value: 'domains', label: 'Domains' };

const kLabelsMs = 30_000;

const collator = new Intl.Collator('en', { numeric: true });

const same = (a: string[], b: string[]) =>
  a.length === b.length && a.every((name, index) => name === b[index]);

// Where each name stands in natural order; worked out again only when the names differ.
function useNameOrder(names: string[]): number[] {
  const known = useMemo(() => ({ names: [] as string[], order: [] as number[] }), []);
  if (!same(known.names, names)) {
    known.names = names;
    known.order = names.map((_, index) => index)
      .sort((a, b) => collator.compare(names[a] ?? '', names[b] ?? ''));
  }
  return known.order;
}

const lastWord = (key: string) => key.slice(key.lastIndexOf('/') + 1);

// Nodes of one value of a label, and what stands above them.
interface Group {
  title: string;
  nodes: MapNode[];
}

function groupsOf(answer: NodesAnswer, nodes: MapNode[]): Group[] {
  const { groups } = answer;
  if (!groups) return [{ title: '', nodes }];
  const valueOf = new Map(answer.names.map((name, at) => {
    const place = groups.of[at] ?? -1;
    return [name, place < 0 ? null : groups.values[place] ?? ''];
  }));
  const byValue = new Map<string | null, MapNode[]>();
  for (const node of nodes) {
    const value = valueOf.get(node.name) ?? null;
    const known = byValue.get(value);
    if (known) known.push(node);
    else byValue.set(value, [node]);
  }
  return [...byValue]
    .sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : collator.compare(a, b)))
    .map(([value, own]) => ({ title: value ?? `without ${lastWord(groups.label)}`, nodes: own }));
}

function nodesOf(answer: NodesAnswer, index: number, resource: Resource): MapNode[] {
  const used = answer.allocated[index] ?? [];
  const whole = answer.allocatable[index] ?? [];
  return answer.names.map((name, at) => {
    const node = { name, used: used[at] ?? 0, whole: whole[at] ?? 0, state: answer.state[at] ?? '' };
    const show = (value: number) => bareAmount(resource, value, node.whole);
    const figures = node.whole > 0 ? `${show(node.used)}/${show(node.whole)}` : '–';
    return { ...node, figures };
  });
}

// What the colours mean, and how many nodes are of each.
function Legend({ nodes }: { nodes: MapNode[] }) {
  const counts = new Array<number>(kSteps.length).fill(0);
  const states = new Map<string, number>();
  for (const node of nodes) {
    const step = stepOf(node);
    counts[step] = (counts[step] ?? 0) + 1;
    if (node.state !== 'Ready') states.set(node.state, (states.get(node.state) ?? 0) + 1);
  }
  return (
    <ul class="legend map-legend">
      {kSteps.map((name, step) => (
        <li key={name}><i class={`key use-${step}`} />{name} <b>{count(counts[step] ?? 0)}</b></li>
      ))}
      {[...states].map(([state, many]) => (
        <li key={state}><i class={`key key-${state}`} />{state} <b>{count(many)}</b></li>
      ))}
    </ul>
  );
}

interface PictureProps {
  answer: NodesAnswer;
  chosen: string;
  params: URLSearchParams;
}

function Picture({ answer, chosen, params }: PictureProps) {
  const { theme } = usePage();
  const picked = chosenResource(answer.resources, params.get('r'));
  const { resource, index } = picked ?? { resource: { name: '', scale: 1 }, index: 0 };
  const byName = useNameOrder(answer.names);
  const wanted = (params.get('q') ?? '').toLowerCase();
  const byUse = params.get('order') === 'use';
  const holders = useMemo(() => holdersOf(answer), [answer]);
  const nodes = useMemo(() => {
    const all = nodesOf(answer, index, resource);
    if (answer.holders?.resource === resource.name) {
      const shares = sharesOf(answer, holders);
      all.forEach((node, at) => (node.shares = shares[at] ?? []));
    }
    const named = byName.flatMap((at) => all[at] ?? []);
    const share = ({ used, whole }: MapNode) => (whole > 0 ? used / whole : -1);
    if (byUse) return named.sort((a, b) => share(b) - share(a));
    // Those that have nothing of it come last.
    return [...named.filter(({ whole }) => whole > 0), ...named.filter(({ whole }) => whole <= 0)];
  }, [answer, index, byName, byUse]);
  const matches = useMemo(
    () => (wanted ? (name: string) => name.toLowerCase().includes(wanted) : null), [wanted]);
  const describe = (node: MapNode) => [
    node.whole > 0
      ? `${amountOf(resource, node.used, node.whole)} (${percent(node.used, node.whole)})`
      : `no ${resourceLabel(resource.name)}`,
    node.state !== 'Ready' ? node.state : '',
  ].filter(Boolean).join(', ');
  const choose = (name: string) =>
    go(hrefOf(name === chosen ? ['nodes'] : ['nodes', name], Object.fromEntries(params)));
  const sumOf = (of: MapNode[], figure: (node: MapNode) => number) =>
    of.reduce((sum, node) => sum + figure(node), 0);
  const usedOf = (of: MapNode[]) => sumOf(of, (node) => node.used);
  const wholeOf = (of: MapNode[]) => sumOf(of, (node) => node.whole);
  if (params.get('show') === 'table') {
    const shown = matches ? nodes.filter(({ name }) => matches(name)) : nodes;
    return <NodeTable nodes={shown} resource={resource} params={params} />;
  }
  return (
    <>
      {answer.holders ? <HolderLegend holders={holders} by={answer.holders.by} resource={resource}
        free={wholeOf(nodes) - usedOf(nodes)} /> : <Legend nodes={nodes} />}
      <div class="node-groups">
        {groupsOf(answer, nodes).map((group) => {
          const figures = amountOf(resource, usedOf(group.nodes), wholeOf(group.nodes));
          return (
            <section key={group.title}>
              {group.title && <h2 class="group-title">{group.title} <span class="quiet">
                {counted(group.nodes.length, 'node')}, {figures}</span></h2>}
              <NodeMap nodes={group.nodes} all={nodes.length} chosen={chosen} matches={matches}
                theme={theme} describe={describe} onChoose={choose}
                label={`${group.title} ${counted(group.nodes.length, 'node')}, ` +
                  `${resourceLabel(resource.name)} in use: ${figures}. Arrow keys walk, Enter ` +
                  'opens a node; the same as a table is one button away.'} />
            </section>
          );
        })}
      </div>
    </>
  );
}

export function NodesView({ chosen, params }: { chosen: string; params: URLSearchParams }) {
  const { summary } = usePage();
  const byDomain = params.get('show') === kDomains.value;
  const value = (name: string) => params.get(name) ?? '';
  const { data, failure } = usePoll<NodesAnswer>(byDomain ? null : urlOf('/api/v1/view/nodes', {
    by: value('colour'),
    resource: value('colour') && value('r'),
    label: value('group'),
  }));
  const labels = usePoll<LabelsAnswer>(byDomain ? null : '/api/v1/view/labels',
    { everyMs: kLabelsMs }).data?.labels ?? [];
  const groups = [{ value: '', label: 'nothing' },
    ...labels.map(({ key }) => ({ value: key, label: lastWord(key) }))];
  const domains = usePoll<DomainsAnswer>(byDomain ? '/api/v1/view/domains' : null);
  const resources = (byDomain ? domains.data : data)?.resources;
  const resource = resources && chosenResource(resources, params.get('r'))?.resource.name;
  const hasDomains = byDomain || (summary?.topologies.length ?? 0) > 0;
  return (
    <>
      <div class="view-head">
        <h1>Nodes</h1>
        {resources && <ResourcePicker resources={resources} chosen={resource ?? ''} />}
        <Choices label="Shown as" param="show" value={params.get('show') ?? ''}
          choices={hasDomains ? [...kShown, kDomains] : kShown}
          also={{ offset: undefined, in: undefined }} />
        {!byDomain && (
          <Choices label="Order" param="order" value={params.get('order') ?? ''}
            choices={kOrders} />
        )}
        {!byDomain && value('show') === '' && (
          <>
            <SelectField label="Coloured" param="colour" value={value('colour')}
              choices={kColours} />
            <SelectField label="Grouped by" param="group" value={value('group')}
              choices={groups} />
          </>
        )}
        <FilterField label={byDomain ? 'Domain or workload' : 'Name'} param="q"
          value={params.get('q') ?? ''} also={{ offset: undefined }} />
      </div>
      {byDomain ? (
        !domains.data ? <Trouble failure={domains.failure} />
          : <DomainsPicture answer={domains.data} params={params} />
      ) : (
      <div class={`map-and-node ${chosen ? 'with-node' : ''}`}>
        <section class="panel">
          {!data ? <Trouble failure={failure} /> : data.names.length === 0 ? (
            <Empty>There are no nodes.</Empty>
          ) : <Picture answer={data} chosen={chosen} params={params} />}
        </section>
        {chosen && <NodePanel key={chosen} name={chosen} close={hrefOf(['nodes'],
          Object.fromEntries(params))} />}
      </div>
      )}
    </>
  );
}
