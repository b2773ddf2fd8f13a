// Domains as boxes within those of the wider levels. A bar says how many of its nodes are full, used
// in part and wholly free; hovering or the focus names who is there, a click opens it.
import { useState } from 'preact/hooks';

import type { Domain, Resource } from '../api/types';
import { amountOf, bareAmount, counted } from '../text/amounts';

interface DomainMapProps {
  domains: Domain[];
  resource: Resource;
  index: number;
  names: (domain: Domain) => string[]; // of workloads
  matches: ((domain: Domain) => boolean) | null; // the others are dimmed
  isChosen: (domain: Domain) => boolean;
  onChoose: (domain: Domain) => void;
}

const kDense = 200; // from so many on cells have no figures
const kNamed = 4;

export const pathText = ({ path }: Domain) => path.join('/') || '–';

const collator = new Intl.Collator('en', { numeric: true });

interface Group {
  name: string;
  domains: Domain[];
}

// By the value at one place of the path, in natural order; those in no domain are left out.
function groupsAt(domains: Domain[], depth: number): Group[] {
  const groups = new Map<string, Domain[]>();
  for (const domain of domains) {
    const value = domain.path[depth];
    if (value === undefined) continue;
    const group = groups.get(value);
    if (group) group.push(domain);
    else groups.set(value, [domain]);
  }
  return [...groups].map(([name, own]) => ({ name, domains: own }))
    .sort((a, b) => collator.compare(a.name, b.name));
}

function Bar({ domain, index }: { domain: Domain; index: number }) {
  const parts = [
    ['full', domain.fullNodes[index] ?? 0],
    ['part', domain.partNodes[index] ?? 0],
    ['free', domain.freeNodes[index] ?? 0],
  ] as const;
  return (
    <span class="domain-bar" aria-hidden="true">
      {parts.map(([kind, nodes]) => nodes > 0 &&
        <i key={kind} class={`nodes-${kind}`} style={{ flexGrow: nodes }} />)}
    </span>
  );
}

interface CellProps extends DomainMapProps {
  domain: Domain;
  name: string;
  onShow: (shown: Shown | null) => void;
}

interface Shown {
  domain: Domain;
  x: number;
  y: number;
}

function Cell({ domain, name, resource, index, matches, isChosen, onChoose, onShow }: CellProps) {
  const [used, whole] = [domain.allocated[index] ?? 0, domain.allocatable[index] ?? 0];
  const show = (event: { currentTarget: HTMLElement }) => {
    const { offsetLeft: x, offsetTop, offsetHeight } = event.currentTarget;
    onShow({ domain, x, y: offsetTop + offsetHeight + 4 });
  };
  const hide = () => onShow(null);
  return (
    <li>
      <button type="button" class={`domain ${matches && !matches(domain) ? 'dimmed' : ''}`}
        aria-pressed={isChosen(domain)} onClick={() => onChoose(domain)}
        onMouseEnter={show} onMouseLeave={hide} onFocus={show} onBlur={hide}>
        <span class="domain-name">{name}</span>
        <span class="domain-figures">
          {whole > 0 ? `${bareAmount(resource, used, whole)}/${bareAmount(resource, whole, whole)}`
            : '–'}
        </span>
        <Bar domain={domain} index={index} />
      </button>
    </li>
  );
}

interface LevelProps extends DomainMapProps {
  depth: number;
  onShow: (shown: Shown | null) => void;
}

function Level(props: LevelProps) {
  const { domains, depth } = props;
  const groups = groupsAt(domains, depth);
  if (groups.every((group) => group.domains.every(({ path }) => path.length === depth + 1))) {
    return (
      <ul class="domain-cells">
        {groups.map(({ name, domains: [domain] }) => domain &&
          <Cell key={name} {...props} domain={domain} name={name} />)}
      </ul>
    );
  }
  return (
    <div class={`domain-groups depth-${depth}`}>
      {groups.map((group) => (
        <div class="domain-group" key={group.name}>
          <h3>{group.name}</h3>
          <Level {...props} domains={group.domains} depth={depth + 1} />
        </div>
      ))}
    </div>
  );
}

function Tip({ shown, resource, index, names }: DomainMapProps & { shown: Shown }) {
  const { domain, x, y } = shown;
  const [used, whole] = [domain.allocated[index] ?? 0, domain.allocatable[index] ?? 0];
  const named = names(domain).slice(0, kNamed);
  const more = domain.workloads.length - named.length + domain.more;
  return (
    <div class="map-tip" role="status"
      style={{ left: `max(0px, min(${x}px, 100% - 230px))`, top: `${y}px` }}>
      <strong>{pathText(domain)}</strong>{' '}
      {whole > 0 && `${amountOf(resource, used, whole)}, `}{counted(domain.nodes, 'node')}
      {named.map((name) => <div key={name}>{name}</div>)}
      {more > 0 && <div class="quiet">+{more}</div>}
    </div>
  );
}

export function DomainMap(props: DomainMapProps) {
  const { domains } = props;
  const [shown, setShown] = useState<Shown | null>(null);
  const rest = domains.find(({ path }) => path.length === 0);
  return (
    <div class={`domain-map ${domains.length >= kDense ? 'dense' : ''}`}>
      <Level {...props} depth={0} onShow={setShown} />
      {rest && (
        <div class="domain-group domain-rest">
          <h3>in none</h3>
          <ul class="domain-cells">
            <Cell {...props} domain={rest} name={counted(rest.nodes, 'node')} onShow={setShown} />
          </ul>
        </div>
      )}
      {shown && <Tip {...props} shown={shown} />}
    </div>
  );
}
