// One domain: what its nodes have, what is used, and by whom.
import type { Domain, DomainsAnswer } from '../api/types';
import { pathText } from '../pictures/domain_map';
import { count, counted } from '../text/amounts';
import { Empty, WorkloadLink } from './bits';
import { Uses } from './uses';

interface DomainPanelProps {
  answer: DomainsAnswer;
  domain: Domain;
  close: string;
}

export function DomainPanel({ answer, domain, close }: DomainPanelProps) {
  const guests = domain.workloads
    .map(([place, pods]) => ({ name: answer.workloads[place] ?? '', pods }));
  return (
    <section class="panel node-panel" aria-label={`Domain ${pathText(domain)}`}>
      <header class="panel-head">
        <h2>{pathText(domain)}</h2>
        <a class="close" href={close} aria-label="Close">✕</a>
      </header>
      <Uses resources={answer.resources} allocatable={domain.allocatable}
        allocated={domain.allocated} />
      <p class="facts">
        <span>{counted(domain.nodes, 'node')}</span>
        {domain.ready < domain.nodes && <span>{count(domain.nodes - domain.ready)} not ready</span>}
      </p>
      {guests.length === 0 ? <Empty>Nothing runs here.</Empty> : (
        <ul class="node-pods domain-guests">
          {guests.map(({ name, pods }) => (
            <li key={name}>
              <WorkloadLink name={name} />
              <span class="quiet">{counted(pods, 'pod')}</span>
            </li>
          ))}
          {domain.more > 0 && <li class="quiet">and {counted(domain.more, 'other')}</li>}
        </ul>
      )}
    </section>
  );
}
