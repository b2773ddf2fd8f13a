// Workloads that ended, from the history: also those that are gone from the cluster.
import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { EndedAnswer, EndedRow } from '../api/types';
import { setParams } from '../route';
import { count, isGpu, number } from '../text/amounts';
import { duration, secondsBetween } from '../text/time';
import { Empty, QueueLink, Trouble, When, WorkloadLink } from './bits';
import { usePage } from './context';

const kPage = 100;

// "12.5 GPU h, 80 core h"
function usedText(used: Record<string, number>): string {
  const hours = (name: string, word: string) =>
    used[name] ? [`${number(used[name] / 3600)} ${word} h`] : [];
  const gpu = Object.keys(used).find(isGpu);
  return [...(gpu ? hours(gpu, 'GPU') : []), ...hours('cpu', 'core')].join(', ') || '–';
}

function Row({ row, now }: { row: EndedRow; now: string }) {
  return (
    <tr>
      <td class="c-state"><span class={`outcome outcome-${row.outcome}`}>{row.outcome}</span></td>
      <th scope="row" class="c-name"><WorkloadLink name={row.workload} /></th>
      <td class="c-queue"><QueueLink name={row.queue} /></td>
      <td class="c-kind">{row.user || <span class="quiet">–</span>}</td>
      <td class="num c-pods">{count(row.pods)}</td>
      <td class="num">{row.started ? duration(secondsBetween(row.created, row.started)) : '–'}</td>
      <td class="num">{row.started ? duration(secondsBetween(row.started, row.finished)) : '–'}</td>
      <td class="num">{count(row.evictions)}</td>
      <td class="num"><When time={row.finished} now={now} /></td>
      <td class="c-reason">{usedText(row.used)}</td>
    </tr>
  );
}

export function EndedTable({ params }: { params: URLSearchParams }) {
  const { summary } = usePage();
  const before = params.get('before') ?? undefined;
  const { data, failure } = usePoll<EndedAnswer>(urlOf('/api/v1/history/workloads', {
    queue: params.get('queue') ?? undefined,
    q: params.get('q') ?? undefined,
    before,
    limit: kPage,
  }), { everyMs: 3000 });
  if (!data) return <Trouble failure={failure} />;
  if (data.rows.length === 0) return <Empty>No workload has ended yet.</Empty>;
  const last = data.rows.at(-1);
  return (
    <section class="panel">
      <table class="workloads ended">
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Workload</th>
            <th scope="col">Queue</th>
            <th scope="col">User</th>
            <th scope="col" class="num">Pods</th>
            <th scope="col" class="num">Waited</th>
            <th scope="col" class="num">Ran</th>
            <th scope="col" class="num">Evictions</th>
            <th scope="col" class="num">Ended</th>
            <th scope="col" class="wide">Used</th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => <Row key={row.seq} row={row} now={summary?.now ?? row.finished} />)}
        </tbody>
      </table>
      <nav class="pager" aria-label="Pages">
        <button type="button" disabled={!before} onClick={() => setParams({ before: undefined })}>
          Newest</button>
        <button type="button" disabled={!data.more}
          onClick={() => setParams({ before: String(last?.seq ?? '') })}>Older</button>
      </nav>
    </section>
  );
}
