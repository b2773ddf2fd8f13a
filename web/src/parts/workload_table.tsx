import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { WorkloadRow, WorkloadsAnswer } from '../api/types';
import { count } from '../text/amounts';
import { duration } from '../text/time';
import { Empty, QueueLink, State, WorkloadLink } from './bits';
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

// What of a row is shown; seconds count only as long as they are shown.
const shownOf = ({ waitingSeconds, created: _, started: __, ...row }: WorkloadRow) =>
  JSON.stringify([row, duration(waitingSeconds)]);

function Row({ row }: { row: WorkloadRow }) {
  return (
    <tr>
      <td class="c-state"><State state={row.state} /></td>
      <th scope="row" class="c-name"><WorkloadLink name={row.workload} /></th>
      <td class="c-queue"><QueueLink name={row.queue} /></td>
      <td class="num c-pods"><Pods row={row} /></td>
      <td class="num c-waited">{duration(row.waitingSeconds)}</td>
      <td class="num c-priority">{count(row.priority)}</td>
      <td class="c-kind quiet">{row.kind}</td>
      <td class="c-reason" title={row.reason?.message}>
        {row.reason && <><b>{row.reason.code}</b> <span class="quiet">{row.reason.message}</span></>}
      </td>
    </tr>
  );
}

export function WorkloadTable({ answer }: { answer: WorkloadsAnswer }) {
  if (answer.rows.length === 0) return <Empty>No workload is like that.</Empty>;
  return (
    <table class="workloads">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Workload</th>
          <th scope="col">Queue</th>
          <th scope="col" class="num">Pods</th>
          <th scope="col" class="num">Waited</th>
          <th scope="col" class="num">Priority</th>
          <th scope="col">Kind</th>
          <th scope="col" class="wide">Why it waits</th>
        </tr>
      </thead>
      <tbody>
        {answer.rows.map((row) => (
          <Still key={row.workload} of={shownOf(row)} draw={() => <Row row={row} />} />
        ))}
      </tbody>
    </table>
  );
}
