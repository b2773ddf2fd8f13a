// One run: what was used, who waited how long, who had to go.
import type { ComponentChildren } from 'preact';

import { Chart, type Line } from '../pictures/chart';
import { Distribution } from '../pictures/distribution';
import { count, number } from '../text/amounts';
import { secondsOf } from '../text/time';
import { groupsOf, show, titleOf, valueOf, withoutKind } from './figures';
import type { Run } from './types';

const kMostQueues = 12;
const kSpread = ['mean', 'p50', 'p95', 'p99', 'max'];

export const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="panel" aria-label={title}>
    <div class="panel-head"><h2>{title}</h2></div>
    {children}
  </section>
);

const kHeadlines = ['workloads.finished', 'waiting.p50', 'waiting.p95', 'evictions',
  'fairness.jain', 'reclaim.p99'];

export function Headlines({ run }: { run: Run }) {
  const shown = run.figures.filter(({ name, of }) => of === '' && kHeadlines.includes(name));
  const use = run.figures.find(({ name, of }) =>
    name === 'utilisation' && of === `resource ${run.pictures.resource}`);
  const lost = run.figures.find(({ name, of }) =>
    name === 'lost.percent' && of === `resource ${run.pictures.resource}`);
  const all = [...(use ? [use] : []), ...shown, ...(lost ? [lost] : [])];
  return (
    <dl class="headlines">
      {all.map((figure) => (
        <div key={figure.name}>
          <dt>{titleOf(figure.name)}</dt>
          <dd>{show(figure.value, figure.unit)}</dd>
        </div>
      ))}
    </dl>
  );
}

const timesOf = (run: Run) =>
  run.pictures.offered.map((_, i) => secondsOf(run.start) + i * run.pictures.stepSeconds);

const sumOf = (rows: number[][], length: number) =>
  Array.from({ length }, (_, i) => rows.reduce((sum, row) => sum + (row[i] ?? 0), 0));

export function UsePicture({ run, theme }: { run: Run; theme: string }) {
  const { offered, queues, unit } = run.pictures;
  const lines: Line[] = [
    { label: 'Allocated', values: sumOf(queues.map((q) => q.allocated), offered.length),
      colour: 'accent', look: 'area' },
    { label: 'There is', values: offered, colour: 'muted', look: 'dashed' },
  ];
  return <Chart times={timesOf(run)} lines={lines} show={number} theme={theme} atMost={1}
    label={`${unit}s allocated, and there, over time`} />;
}

export function PendingPicture({ run, theme }: { run: Run; theme: string }) {
  const lines: Line[] = [
    { label: 'Workloads pending', values: run.pictures.pending, colour: 'wait', look: 'area' },
    { label: 'Pods evicted', values: run.pictures.evictions, colour: 'bad' },
  ];
  return <Chart times={timesOf(run)} lines={lines} show={number} theme={theme} atMost={1}
    label="workloads pending and pods evicted over time" />;
}

function QueuePictures({ run, theme }: { run: Run; theme: string }) {
  const used = (name: string) => valueOf(run.figures, 'used', `queue ${name}`) ?? 0;
  const queues = [...run.pictures.queues].sort((a, b) => used(b.name) - used(a.name));
  const times = timesOf(run);
  return (
    <>
      <div class="small-multiples">
        {queues.slice(0, kMostQueues).map((queue) => (
          <figure key={queue.name}>
            <figcaption>{queue.name} <span class="quiet">
              {number(used(queue.name))} {run.pictures.unit} h</span></figcaption>
            <Chart times={times} height={120} show={number} theme={theme} atMost={1} lines={[
              { label: 'Allocated', values: queue.allocated, colour: 'accent', look: 'area' },
              { label: 'Fair share', values: queue.fair, colour: 'fair', look: 'dashed' },
            ]} label={`${queue.name}: allocated and fair share over time`} />
          </figure>
        ))}
      </div>
      {queues.length > kMostQueues && <p class="quiet">The {kMostQueues} queues that used most,
        of {count(queues.length)}.</p>}
    </>
  );
}

// Rows of one kind, with mean and percentiles.
function SpreadTable({ run, name, kind, head }: { run: Run; name: string; kind: string;
  head: string }) {
  const groups = ['', ...groupsOf(run.figures, `${name}.mean`, kind)];
  return (
    <div class="scroll" tabIndex={0} role="region"
      aria-label={`${titleOf(`${name}.mean`)} by ${kind}`}>
      <table class="plain">
        <thead><tr>
          <th scope="col">{head}</th>
          {kSpread.map((part) => (
            <th scope="col" class="num" key={part}>{titleOf(`${name}.${part}`).split(', ')[1]}</th>
          ))}
        </tr></thead>
        <tbody>
          {groups.map((of) => (
            <tr key={of}>
              <th scope="row">{of ? withoutKind(of) : 'all'}</th>
              {kSpread.map((part) => {
                const value = valueOf(run.figures, `${name}.${part}`, of);
                const unit = name === 'slowdown' ? '' : 's';
                return <td class="num" key={part}>{value === null ? '–' : show(value, unit)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function AllFigures({ run }: { run: Run }) {
  return (
    <details>
      <summary>All {count(run.figures.length)} figures</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label="All figures">
        <table class="plain">
          <thead><tr><th scope="col">Figure</th><th scope="col">Of</th>
            <th scope="col" class="num">Value</th></tr></thead>
          <tbody>
            {run.figures.map(({ name, of, unit, value }) => (
              <tr key={`${name} ${of}`}>
                <th scope="row">{titleOf(name)} <code class="quiet">{name}</code></th>
                <td>{of}</td>
                <td class="num">{show(value, unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

export function RunReport({ run, theme }: { run: Run; theme: string }) {
  const all = run.pictures.waiting.find(({ of }) => of === '');
  return (
    <>
      <Headlines run={run} />
      <div class="two">
        <Section title={`${run.pictures.unit || 'Unit'}s in use`}>
          <UsePicture run={run} theme={theme} /></Section>
        <Section title="Waiting and giving way"><PendingPicture run={run} theme={theme} /></Section>
      </div>
      <Section title="How long workloads waited">
        {all && <Distribution curves={[{ label: 'all', ...all }]}
          label="share of workloads that waited no longer than so long" />}
        <SpreadTable run={run} name="waiting" kind="queue" head="Queue" />
        <SpreadTable run={run} name="waiting" kind="size" head="Size" />
      </Section>
      <Section title="From submission to end">
        <SpreadTable run={run} name="completion" kind="size" head="Size" />
      </Section>
      <Section title="What every queue had"><QueuePictures run={run} theme={theme} /></Section>
      <Section title="Everything"><AllFigures run={run} /></Section>
    </>
  );
}
