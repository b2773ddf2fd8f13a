import { pathOf, urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { DecisionsAnswer, Explanation, WorkloadAnswer } from '../api/types';
import { Empty, Name, Panel, QueueLink, State, Trouble, When, sentence } from '../parts/bits';
import { DecisionList } from '../parts/decisions';
import { ObjectPanel } from '../parts/object_panel';
import { TrackRecordLine } from '../parts/track_record';
import { Pods } from '../parts/workload_table';
import { Meter } from '../pictures/meter';
import { hrefOf, nodeHref, workloadHref } from '../route';
import { amounts, count, counted } from '../text/amounts';
import { duration, moment, relative, secondsOf, stamp } from '../text/time';

const kDecisions = 50;
const kExplainMs = 4000;

const kEnds = {
  Limits: 'at its limit at the latest',
  Expected: 'when it is said to',
  History: 'as such work ran before',
};

// Why it waits, and what would let it start.
function Explained(props: { explanation: Explanation; queue: string; hopeless: boolean }) {
  const { explanation, queue, hopeless } = props;
  const { reasons, now, expectedStart, room, overtakenBy = [] } = explanation;
  return (
    <>
      {reasons.length === 0 && <Empty>It is about to be tried.</Empty>}
      <ul class="reasons">
        {reasons.map((reason) => (
          <li key={reason.code + reason.message}>
            <h3>{reason.code}</h3>
            <p>{sentence(reason.message)}</p>
            {reason.remedy && <p class="remedy"><b>What would help</b> {sentence(reason.remedy)}</p>}
            {reason.until && <p class="quiet">Until {moment(reason.until, now)}, {relative(reason.until, now)}.</p>}
          </li>
        ))}
      </ul>
      <p class="forecast">
        {hopeless ? <b>It can never start as it is written.</b> : expectedStart?.at
          ? <><b>Expected to start {relative(expectedStart.at, now)}</b>, at {moment(expectedStart.at, now)}
            {expectedStart.from && expectedStart.until && expectedStart.from !== expectedStart.until
              && <>, between {moment(expectedStart.from, now)} and {moment(expectedStart.until, now)}</>},
            if what runs ends {kEnds[expectedStart.basis ?? 'Limits']}.</>
          : room ? <><b>Room by {moment(room.at, now)}</b>, {relative(room.at, now)}, if what runs ends
            when it is said to and nobody takes it first{room.ended.length > 0 &&
              <>: {counted(room.ended.length, 'workload')} will have ended by then</>}.</>
          : 'Tried again whenever something changes in the cluster.'}
        {!hopeless && (expectedStart?.unknown ?? []).length > 0 && <> Nobody knows when: {expectedStart!.unknown!.join(', ')} say
          no end.</>}
      </p>
      {!hopeless && expectedStart?.at && (
        <TrackRecordLine queue={queue} basis={expectedStart.basis ?? 'Limits'} />
      )}
      {overtakenBy.length > 0 && (
        <p class="quiet overtaken">Started while it waited: {overtakenBy.map((name, index) => (
          <span key={name}>{index > 0 && ', '}
            <a class="quiet-link" href={workloadHref(name)}>{name}</a></span>
        ))}.</p>
      )}
    </>
  );
}

function Protected({ explanation }: { explanation: Explanation | null }) {
  const protections = explanation?.protections ?? [];
  if (!explanation || protections.length === 0) return null;
  return (
    <p class="facts">
      {protections.map(({ action, until, queue }) => (
        <span key={action}>protected from {action.toLowerCase()} until {moment(until, explanation.now)}
          {queue ? ` by queue ${queue}` : ''}</span>
      ))}
    </p>
  );
}

function PodSets({ row }: { row: WorkloadAnswer }) {
  return (
    <ul class="pod-sets">
      {row.podSets.map((set) => (
        <li key={set.name}>
          <span class="name">{set.name}</span>
          <Meter part={set.running} whole={set.count} wanted={set.admitted ?? 0} />
          <span class="num"><b>{count(set.running)}</b>/{count(set.count)}</span>
          <span class="quiet">{set.admitted !== null ? `${count(set.admitted)} admitted` : ''}</span>
        </li>
      ))}
    </ul>
  );
}

function PodTable({ row }: { row: WorkloadAnswer }) {
  if (row.pods.length === 0) return <Empty>It has no pods now.</Empty>;
  const more = row.podsTotal - row.pods.length;
  return (
    <>
      <table class="plain">
        <thead><tr><th scope="col">Pod</th><th scope="col">Node</th><th scope="col">State</th></tr></thead>
        <tbody>
          {row.pods.map(({ pod, node, state }) => (
            <tr key={pod}>
              <th scope="row"><Name name={pod} /></th>
              <td>{node ? <a class="quiet-link" href={nodeHref(node)}>{node}</a> : '–'}</td>
              <td>{state}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <Empty>and {counted(more, 'more pod')}</Empty>}
    </>
  );
}

export function WorkloadView({ name }: { name: string }) {
  const path = pathOf(name);
  const { data: row, failure } = usePoll<WorkloadAnswer>(`/api/v1/view/workloads/${path}`);
  const explained = usePoll<Explanation>(
    row && row.state !== 'Finished' ? `/api/v1/explain/${path}` : null,
    { everyMs: kExplainMs, ...(row ? { key: `${name} ${row.state} ${row.running}` } : {}) });
  const decisions = usePoll<DecisionsAnswer>(
    urlOf('/api/v1/history/decisions', { workload: name, limit: kDecisions }));
  const head = <h1><a class="up" href={hrefOf(['workloads'])}>Workloads</a> <Name name={name} /></h1>;
  const gone = !row || failure?.status === 404;
  const waits = row?.state === 'Pending' || (row?.state === 'Admitted' && row.reason);
  return (
    <>
      <div class="view-head">
        {head}
        {row && !gone && <State state={row.state} />}
      </div>
      {gone && <Trouble failure={failure} />}
      {row && !gone && (
        <>
          <dl class="facts-line workload-facts">
            <div><dt>pods</dt><dd><Pods row={row} /></dd></div>
            <div><dt>asks</dt><dd>{amounts(row.resources, row.asks)}</dd></div>
            <div><dt>{row.state === 'Pending' ? 'waiting' : 'waited'}</dt>
              <dd>{duration(row.waitingSeconds)}</dd></div>
            <div><dt>queue</dt><dd><QueueLink name={row.queue} /></dd></div>
            {row.position !== null && <div><dt>place in its queue</dt>
              <dd>#{count(row.position)}</dd></div>}
            {row.hopeless && <div><dt>starts</dt><dd class="never">never, as it is written</dd></div>}
            {row.user && <div><dt>user</dt><dd><a class="quiet-link"
              href={hrefOf(['workloads'], { user: row.user })}>{row.user}</a></dd></div>}
            <div><dt>priority</dt><dd>{count(row.priority)}</dd></div>
            <div><dt>kind</dt><dd>{row.kind}</dd></div>
            <div><dt>created</dt><dd><When time={row.created} now={row.now} /></dd></div>
            {row.started && <div><dt>started</dt><dd><When time={row.started} now={row.now} /></dd></div>}
            {row.started && row.runSeconds !== null && row.state !== 'Finished' && <div><dt>ends</dt>
              <dd><When time={stamp(secondsOf(row.started) + row.runSeconds)} now={row.now} /></dd></div>}
          </dl>
          <Protected explanation={explained.data} />
          {waits && (
            <Panel title="Why it waits" class="why-panel">
              {explained.data ? <Explained explanation={explained.data} queue={row.queue}
                hopeless={row.hopeless} />
                : <Trouble failure={explained.failure} />}
            </Panel>
          )}
          <div class="two">
            <Panel title="Pods">
              <PodSets row={row} />
              <PodTable row={row} />
            </Panel>
            <Panel title="Decisions"
              more={<a href={hrefOf(['timeline'], { workload: name })}>Timeline</a>}>
              {decisions.data ? <DecisionList rows={decisions.data.rows} />
                : <Trouble failure={decisions.failure} />}
            </Panel>
          </div>
          <ObjectPanel key={name} kind={row.kind} name={name} />
        </>
      )}
      {gone && decisions.data && decisions.data.rows.length > 0 && (
        <Panel title="Decisions"><DecisionList rows={decisions.data.rows} /></Panel>
      )}
    </>
  );
}
