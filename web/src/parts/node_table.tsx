// The map in words.
import type { Resource } from '../api/types';
import { Meter } from '../pictures/meter';
import type { MapNode } from '../pictures/node_map_draw';
import { hrefOf } from '../route';
import { amountOf, percent } from '../text/amounts';
import { Pager } from './pager';

const kPage = 100;

export function NodeTable(props: { nodes: MapNode[]; resource: Resource;
  params: URLSearchParams }) {
  const { nodes, resource, params } = props;
  const offset = Math.max(0, Number(params.get('offset')) || 0);
  const kept = Object.fromEntries(params);
  return (
    <>
      <table class="plain nodes">
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">State</th>
            <th scope="col" class="bar-column">Used</th>
            <th scope="col" class="num">of</th>
            <th scope="col" class="num">share</th>
          </tr>
        </thead>
        <tbody>
          {nodes.slice(offset, offset + kPage).map((node) => (
            <tr key={node.name}>
              <th scope="row"><a class="name" href={hrefOf(['nodes', node.name], kept)}>{node.name}</a></th>
              <td>{node.state}</td>
              <td class="bar-column"><Meter part={node.used} whole={node.whole} /></td>
              <td class="num">{amountOf(resource, node.used, node.whole)}</td>
              <td class="num">{percent(node.used, node.whole)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager offset={offset} limit={kPage} matching={nodes.length} />
    </>
  );
}
