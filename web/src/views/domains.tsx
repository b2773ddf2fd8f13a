// Nodes by domain: how full racks and blocks are, and who is there.
import type { Domain, DomainTopology, DomainsAnswer, Resource } from '../api/types';
import { Empty, chosenResource } from '../parts/bits';
import { DomainPanel } from '../parts/domain_panel';
import { DomainMap, pathText } from '../pictures/domain_map';
import { go, hrefOf } from '../route';
import { count } from '../text/amounts';

const lastWord = (key: string) => key.slice(Math.max(key.lastIndexOf('/'), key.lastIndexOf('.')) + 1);

// "block › rack"
const levelsOf = ({ levels, level }: DomainTopology) =>
  levels.slice(0, level + 1).map(lastWord).join(' › ');

// A domain in the address.
const placeOf = (topology: DomainTopology, domain: Domain) =>
  `${topology.name}:${pathText(domain)}`;

const sumOf = (domains: Domain[], figure: (domain: Domain) => number | undefined) =>
  domains.reduce((sum, domain) => sum + (figure(domain) ?? 0), 0);

function Legend({ domains, index }: { domains: Domain[]; index: number }) {
  const out = sumOf(domains, (domain) => domain.nodes - domain.ready);
  return (
    <ul class="legend domain-legend">
      <li><i class="key nodes-full" />full <b>{count(sumOf(domains, (d) => d.fullNodes[index]))}</b></li>
      <li><i class="key nodes-part" />used in part <b>{count(sumOf(domains, (d) => d.partNodes[index]))}</b></li>
      <li><i class="key nodes-free" />wholly free <b>{count(sumOf(domains, (d) => d.freeNodes[index]))}</b></li>
      {out > 0 && <li>not ready <b>{count(out)}</b></li>}
    </ul>
  );
}

interface TopologyProps {
  answer: DomainsAnswer;
  topology: DomainTopology;
  resource: Resource;
  index: number;
  params: URLSearchParams;
}

function Topology({ answer, topology, resource, index, params }: TopologyProps) {
  const chosen = params.get('in') ?? '';
  const wanted = (params.get('q') ?? '').toLowerCase();
  const names = (domain: Domain) =>
    domain.workloads.map(([place]) => answer.workloads[place] ?? '');
  const matches = wanted ? (domain: Domain) =>
    [pathText(domain), ...names(domain)].some((name) => name.toLowerCase().includes(wanted)) : null;
  const choose = (domain: Domain) => {
    const place = placeOf(topology, domain);
    const next = Object.fromEntries([...params].filter(([name]) => name !== 'in'));
    go(hrefOf(['nodes'], { ...next, in: place === chosen ? undefined : place }));
  };
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>{topology.name}</h2>
        <span class="quiet">{levelsOf(topology)}</span>
      </header>
      {topology.domains.some((domain) => domain.path.length > 0) ? (
        <>
          <Legend domains={topology.domains} index={index} />
          <DomainMap domains={topology.domains} resource={resource} index={index} names={names}
            matches={matches} isChosen={(domain) => placeOf(topology, domain) === chosen}
            onChoose={choose} />
        </>
      ) : <Empty>No node carries the label {topology.levels[topology.level]}.</Empty>}
    </section>
  );
}

export function DomainsPicture({ answer, params }: { answer: DomainsAnswer; params: URLSearchParams }) {
  const picked = chosenResource(answer.resources, params.get('r'));
  const { resource, index } = picked ?? { resource: { name: '', scale: 1 }, index: 0 };
  const chosen = params.get('in') ?? '';
  const found = answer.topologies.flatMap((topology) => topology.domains
    .filter((domain) => placeOf(topology, domain) === chosen)).at(0);
  const close = hrefOf(['nodes'],
    Object.fromEntries([...params].filter(([name]) => name !== 'in')));
  if (answer.topologies.length === 0) {
    return <section class="panel"><Empty>There is no Topology.</Empty></section>;
  }
  return (
    <div class={`map-and-node ${found ? 'with-node' : ''}`}>
      <div class="topologies">
        {answer.topologies.map((topology) => (
          <Topology key={topology.name} answer={answer} topology={topology} resource={resource}
            index={index} params={params} />
        ))}
      </div>
      {found && <DomainPanel answer={answer} domain={found} close={close} />}
    </div>
  );
}
