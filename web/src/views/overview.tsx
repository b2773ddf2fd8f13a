import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { DecisionsAnswer, Summary, WorkloadsAnswer } from '../api/types';
import { Empty, Panel, ResourcePicker, Trouble, WorkloadLink, chosenResource } from '../parts/bits';
import { DecisionList } from '../parts/decisions';
import { Starts } from '../parts/workload_table';
import { Meter } from '../pictures/meter';
import { hrefOf } from '../route';
import { amountOf, count, inOrder, percent, resourceLabel } from '../text/amounts';
import { duration } from '../text/time';
import { usePage } from '../parts/context';
import { UsagePanels } from './usage';

const kNewest = 12;
const kAsked = 60; // decisions, before those of a gang are folded
const kLongest = 8;

function Uses({ summary }: { summary: Summary }) {
  const shown = inOrder(summary.resources)
    .filter(({ resource }) => resource.allocatable > 0 || (resource.requested ?? 0) > 0)
    .slice(0, 6);
  return (
    <div class="uses">
      {shown.map(({ resource }) => (
        <a class="use" key={resource.name} href={hrefOf(['nodes'], { r: resource.name })}>
          <span class="use-name">{resourceLabel(resource.name)}</span>
          <span class="use-share">{percent(resource.allocated, resource.allocatable)}</span>
          <Meter part={resource.allocated} whole={resource.allocatable} />
          <span class="use-figures">
            {amountOf(resource, resource.allocated, resource.allocatable)}
          </span>
        </a>
      ))}
    </div>
  );
}

function Figure(props: { name: string; value: number; href: string; hint?: string }) {
  return (
    <a class="figure" href={props.href} title={props.hint}>
      <span class="figure-value">{count(props.value)}</span>
      <span class="figure-name">{props.name}</span>
    </a>
  );
}

function Counts({ summary }: { summary: Summary }) {
  const { pods, workloads, nodes, totals } = summary;
  const of = (state: string) => hrefOf(['workloads'], { state });
  const did = (type: string) => hrefOf(['timeline'], { type });
  return (
    <div class="counts">
      <div class="count-group">
        <h2>Workloads</h2>
        <div class="figures">
        <Figure name="running" value={workloads.running} href={of('Running')} />
        <Figure name="admitted" value={workloads.admitted} href={of('Admitted')} />
        <Figure name="pending" value={workloads.pending} href={of('Pending')} />
        {workloads.hopeless > 0 && <Figure name="can never start" value={workloads.hopeless}
          href={hrefOf(['workloads'], { state: 'Pending', waits: 'never' })}
          hint="of those that are pending: as they are written" />}
        <Figure name="finished" value={workloads.finished} href={of('Finished')} />
        </div>
      </div>
      <div class="count-group">
        <h2>Pods</h2>
        <div class="figures">
        <Figure name="running" value={pods.running} href={of('Running')} />
        <Figure name="pending" value={pods.pending} href={of('Pending')} />
        <Figure name="finished" value={pods.finished} href={of('Finished')} />
        {pods.foreign > 0 && <Figure name="other schedulers’" value={pods.foreign} href={hrefOf(['nodes'])}
          hint="pods that another scheduler placed" />}
        </div>
      </div>
      <div class="count-group">
        <h2>Decisions</h2>
        <div class="figures">
        <Figure name="bound" value={totals.bound} href={did('Bind')} />
        <Figure name="evicted" value={totals.evicted} href={did('Evict')} />
        <Figure name="admitted" value={totals.admitted} href={did('Admit')} />
        </div>
      </div>
      <div class="count-group">
        <h2>Nodes</h2>
        <div class="figures">
        <Figure name="ready" value={nodes.ready} href={hrefOf(['nodes'])} />
        <Figure name="not ready" value={nodes.count - nodes.ready} href={hrefOf(['nodes'])} />
        </div>
      </div>
    </div>
  );
}

function LongestWaiting() {
  const { data, failure } = usePoll<WorkloadsAnswer>(
    urlOf('/api/v1/view/workloads', { state: 'Pending', waits: 'turn', sort: 'waiting', limit: kLongest }));
  const all = <a href={hrefOf(['workloads'], { state: 'Pending', waits: 'turn' })}>All that wait</a>;
  return (
    <Panel title="Waiting longest" more={all} class="rows-8">
      {!data ? <Trouble failure={failure} /> : data.rows.length === 0 ? (
        <Empty>Nothing waits for its turn.</Empty>
      ) : (
        <ol class="waiting">
          {data.rows.map((row) => (
            <li key={row.workload}>
              <span class="waiting-time">{duration(row.waitingSeconds)}</span>
              <WorkloadLink name={row.workload} />
              <span class="quiet reason" title={row.reason?.message}>{row.expectedStart
                ? <>starts <Starts row={row} now={data.now} /></> : row.reason?.code ?? ''}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Newest() {
  const { data, failure } = usePoll<DecisionsAnswer>(
    urlOf('/api/v1/history/decisions', { limit: kAsked }));
  return (
    <Panel title="Newest decisions" more={<a href={hrefOf(['timeline'])}>Timeline</a>}>
      {data ? <DecisionList rows={data.rows} most={kNewest} short /> : <Trouble failure={failure} />}
    </Panel>
  );
}

export function OverviewView({ params }: { params: URLSearchParams }) {
  const { summary } = usePage();
  const chosen = summary && chosenResource(summary.resources, params.get('r'));
  const resource = chosen?.resource.name ?? '';
  return (
    <>
      <div class="view-head">
        <h1>Overview</h1>
        {summary && <ResourcePicker resources={summary.resources} chosen={resource} />}
      </div>
      <div class="overview-top">
        {summary ? <Uses summary={summary} /> : <div class="uses" />}
        {summary ? <Counts summary={summary} /> : <div class="counts" />}
      </div>
      <UsagePanels resource={resource} queue="" range={params.get('range') ?? ''} />
      <div class="two">
        <LongestWaiting />
        <Newest />
      </div>
    </>
  );
}
