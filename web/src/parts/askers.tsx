// Why a node stands idle: who of those that wait could use it, and what stands in the way.
import { usePoll } from '../api/poll';
import type { Asker, AskersAnswer } from '../api/types';
import { count, counted } from '../text/amounts';
import { Empty, Trouble, WorkloadLink, sentence } from './bits';

const kEveryMs = 5000;

function List({ askers, why }: { askers: Asker[]; why: (asker: Asker) => string }) {
  return (
    <ul class="askers">
      {askers.map((asker) => (
        <li key={asker.workload}>
          <WorkloadLink name={asker.workload} />
          {asker.alike > 1 && <span class="quiet"> and {count(asker.alike - 1)} like it</span>}
          <p class="quiet">{sentence(why(asker))}</p>
        </li>
      ))}
    </ul>
  );
}

// By what they lack, the most frequent first.
function unfit(askers: Asker[]): [string, number][] {
  const byLack = new Map<string, number>();
  for (const { lacks, alike } of askers) byLack.set(lacks, (byLack.get(lacks) ?? 0) + alike);
  return [...byLack].sort((a, b) => b[1] - a[1]);
}

export function Askers({ node }: { node: string }) {
  const { data, failure } = usePoll<AskersAnswer>(
    `/api/v1/view/nodes/${encodeURIComponent(node)}/askers`, { everyMs: kEveryMs });
  const of = (verdict: Asker['verdict']) =>
    data?.askers.filter((asker) => asker.verdict === verdict) ?? [];
  return (
    <section class="who-could">
      <h3>Who could use what is free here</h3>
      {!data ? <Trouble failure={failure} /> : data.waiting === 0 ? (
        <Empty>Nothing waits in the whole cluster.</Empty>
      ) : (
        <>
          {of('HasRoom').length > 0 && <>
            <h4>Has room here, and waits for something else</h4>
            <List askers={of('HasRoom')} why={({ reason }) => reason
              ? `${reason.code}: ${reason.message}` : 'it is about to be tried'} />
          </>}
          {of('Lacks').length > 0 && <>
            <h4>Could run here, if more were free</h4>
            <List askers={of('Lacks')} why={({ lacks }) => lacks} />
          </>}
          {of('Unfit').length > 0 && <>
            <h4>Cannot run here</h4>
            <ul class="askers">
              {unfit(of('Unfit')).map(([lacks, many]) => (
                <li key={lacks}><b>{counted(many, 'workload')}</b>: {lacks}</li>
              ))}
            </ul>
          </>}
          {data.more + data.unseen > 0
            && <p class="quiet">and {counted(data.more + data.unseen, 'other workload')}</p>}
        </>
      )}
    </section>
  );
}
