import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { Resource, WorkloadRow, WorkloadsAnswer } from '../api/types';
import { hrefOf } from '../route';
import { bareAmount, count, inOrder, resourceLabel } from '../text/amounts';
import { duration, moment, relative, secondsBetween } from '../text/time';
import { Empty, QueueLink, State, WorkloadLink, sentence } from './bits';
import { Still } from './still';

export const useWorkloads = (query: Record<string, string | number | undefined>) =>
  usePoll<WorkloadsAnswer>(urlOf('/api/v1/view/workloads', query));

// "15/20": how many of those wanted run, or were admitted.
export function Pods({ row }: { row: WorkloadRow }) {
  const { running, wanted, admitted } = row;
  const fewer = admitted !== null && admitted < wanted;
  return (
    <span class="pods" title={`${count(running)} of ${count(wanted)} pods run` +
      (fewer ? `, ${count(admitted)} were admitted` : '')}>
      <b>{count(running)}</b>/{count(wanted)}
      {fewer && <span class="quiet"> ({count(admitted)} admitted)</span>}
    </span>
  );
}

const kBases: Record<string, string> = {
  Limits: 'if what runs ends at its limit',
  Expected: 'if what runs ends when it is said to',
  History: 'if what runs ends as such work did before',
  Reserved: 'room is kept for it from then on',
};

// "in 3h20m", "never", or nothing where nobody knows.
export function Starts({ row, now }: { row: WorkloadRow; now: string }) {
  if (row.state !== 'Pending') return null;
  if (row.hopeless) {
    return <span class="never" title="It can never start as it is written.">never</span>;
  }
  const start = row.expectedStart;
  if (!start) return <span class="quiet" title="Nobody knows when.">–</span>;
  const soon = secondsBetween(now, start.at) <= 0;
  return (
    <time dateTime={start.at} title={`at ${moment(start.at, now)}, ${kBases[start.basis] ?? ''}`}>
      {soon ? 'soon' : relative(start.at, now)}
    </time>
  );
}

// What of a row is shown; seconds count only as long as they are shown.
const shownOf = (row: WorkloadRow, now: string) => {
  const { waitingSeconds, created: _, started: __, ...rest } = row;
  const until = row.expectedStart ? relative(row.expectedStart.at, now) : '';
  return JSON.stringify([rest, duration(waitingSeconds), until]);
};

interface RowProps {
  row: WorkloadRow;
  now: string;
  main: { resource: Resource; index: number } | null;
}

function Row({ row, now, main }: RowProps) {
  const asks = main ? row.asks[main.index] ?? 0 : 0;
  return (
    <tr role="row">
      <td role="cell" class="c-state"><State state={row.state} /></td>
      <th role="rowheader" scope="row" class="c-name"><WorkloadLink name={row.workload} /></th>
      <td role="cell" class="c-queue"><QueueLink name={row.queue} /></td>
      <td role="cell" class="c-user">{row.user
        ? <a class="quiet-link" href={hrefOf(['workloads'], { user: row.user })}>{row.user}</a>
        : <span class="quiet">–</span>}</td>
      <td role="cell" class="num c-asks">{main && asks > 0
        ? bareAmount(main.resource, asks, asks) : <span class="quiet">–</span>}</td>
      <td role="cell" class="num c-pods"><Pods row={row} /></td>
      <td role="cell" class="num c-waited">{duration(row.waitingSeconds)}</td>
      <td role="cell" class="num c-position">{row.position !== null && `#${count(row.position)}`}</td>
      <td role="cell" class="num c-starts"><Starts row={row} now={now} /></td>
      <td role="cell" class="num c-priority">{count(row.priority)}</td>
      <td role="cell" class="c-kind quiet">{row.kind}</td>
      {row.reason && <td role="cell" class="c-reason">
        <a href={hrefOf(['workloads'], { state: 'Pending', reason: row.reason.code })}
          title="All that wait for this reason"><b>{row.reason.code}</b></a>{' '}
        <span class="quiet">{sentence(row.reason.message)}</span>
      </td>}
    </tr>
  );
}

const kColumns = [['state', 'State'], ['name', 'Workload'], ['queue', 'Queue'], ['user', 'User'],
  ['asks', ''], ['pods', 'Pods'], ['waited', 'Waited'], ['position', 'Place'],
  ['starts', 'Starts'], ['priority', 'Priority'], ['kind', 'Kind']];
const kNumbers = new Set(['asks', 'pods', 'waited', 'position', 'starts', 'priority']);

export function WorkloadTable({ answer }: { answer: WorkloadsAnswer }) {
  if (answer.rows.length === 0) return <Empty>No workload is like that.</Empty>;
  // GPUs, where any of these asks some.
  const main = inOrder(answer.resources).find(({ index }) =>
    answer.rows.some((row) => (row.asks[index] ?? 0) > 0)) ?? null;
  const label = main ? resourceLabel(main.resource.name) : '';
  return (
    <table role="table" class="workloads live">
      <thead role="rowgroup">
        <tr role="row">
          {kColumns.map(([name, title]) => (
            <th role="columnheader" scope="col" key={name}
              class={kNumbers.has(name ?? '') ? 'num' : ''}>{title || label}</th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {answer.rows.map((row) => (
          <Still key={row.workload} of={shownOf(row, answer.now)}
            draw={() => <Row row={row} now={answer.now} main={main} />} />
        ))}
      </tbody>
    </table>
  );
}
