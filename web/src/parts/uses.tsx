// How much of each resource is used, of a node or a domain.
import type { Amounts, Resource } from '../api/types';
import { Meter } from '../pictures/meter';
import { amountOf, inOrder, percent, resourceLabel } from '../text/amounts';

interface UsesProps {
  resources: Resource[];
  allocatable: Amounts;
  allocated: Amounts;
}

export function Uses({ resources, allocatable, allocated }: UsesProps) {
  return (
    <div class="node-uses">
      {inOrder(resources).map(({ resource, index }) => {
        const whole = allocatable[index] ?? 0;
        const part = allocated[index] ?? 0;
        if (whole === 0 && part === 0) return null;
        return (
          <div class="node-use" key={resource.name}>
            <span>{resourceLabel(resource.name)}</span>
            <Meter part={part} whole={whole} />
            <span class="num">{amountOf(resource, part, whole)}</span>
            <span class="num quiet">{percent(part, whole)}</span>
          </div>
        );
      })}
    </div>
  );
}
