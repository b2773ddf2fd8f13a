// In whose name work waits and runs, and what users are limited to.
import { usePoll } from '../api/poll';
import type { TableAnswer, UserLine, UsersAnswer } from '../api/types';
import { Empty, FilterField, Panel, ResourcePicker, Trouble, chosenResource } from '../parts/bits';
import { Meter } from '../pictures/meter';
import { hrefOf } from '../route';
import { bareAmount, count, unitWord } from '../text/amounts';
import { duration } from '../text/time';

const kLimitsMs = 5000;

function Line(props: { line: UserLine; show: (value: number) => string; index: number;
  most: number }) {
  const { line, show, index, most } = props;
  const of = (state: string) => hrefOf(['workloads'], { user: line.user, state });
  const [has, asks] = [line.allocated[index] ?? 0, line.waiting[index] ?? 0];
  return (
    <tr>
      <th scope="row">{line.user
        ? <a class="name" href={hrefOf(['workloads'], { user: line.user })}>{line.user}</a>
        : <span class="quiet">nobody known</span>}</th>
      <td class="bar-column"><Meter part={has} whole={most} wanted={has + asks} /></td>
      <td class="num" data-name="in use">{show(has)}</td>
      <td class="num" data-name="waits for">{show(asks)}</td>
      <td class="num" data-name="running"><a class="quiet-link" href={of('Running')}>{count(line.running)}</a></td>
      <td class="num" data-name="pending"><a class="quiet-link" href={of('Pending')}>{count(line.pending)}</a></td>
      <td class="num" data-name="pods">{count(line.pods)}</td>
      <td class="num" data-name="longest wait">{line.longestWaitingSeconds > 0
        ? duration(line.longestWaitingSeconds) : '–'}</td>
    </tr>
  );
}

// As `fairlead get users` has them.
function Limits() {
  const { data } = usePoll<TableAnswer>('/api/v1/users?as=table', { everyMs: kLimitsMs });
  if (!data || data.rows.length === 0) return null;
  return (
    <Panel title="Limits of users and groups">
      <div class="wide-table" tabIndex={0} role="region" aria-label="Limits of users and groups">
        <table class="plain">
          <thead><tr>{data.columns.map((column) =>
            <th scope="col" key={column}>{column.toLowerCase()}</th>)}</tr></thead>
          <tbody>
            {data.rows.map((row, at) => (
              <tr key={at}>{row.map((cell, column) => column === 0
                ? <th scope="row" key={column}>{cell}</th> : <td key={column}>{cell || '–'}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

export function UsersView({ params }: { params: URLSearchParams }) {
  const { data, failure } = usePoll<UsersAnswer>('/api/v1/view/users');
  const chosen = data && chosenResource(data.resources, params.get('r'));
  const { resource, index } = chosen ?? { resource: { name: '', scale: 1 }, index: 0 };
  const wanted = (params.get('q') ?? '').toLowerCase();
  const all = data?.users.filter(({ user }) => user.toLowerCase().includes(wanted)) ?? [];
  const sum = (line: UserLine) => (line.allocated[index] ?? 0) + (line.waiting[index] ?? 0);
  const lines = [...all].sort((a, b) => (b.allocated[index] ?? 0) - (a.allocated[index] ?? 0)
    || sum(b) - sum(a) || a.user.localeCompare(b.user));
  const most = Math.max(0, ...(data?.users ?? []).map(sum));
  const show = (value: number) => value === 0 ? '–' : bareAmount(resource, value, most);
  return (
    <>
      <div class="view-head">
        <h1>Users</h1>
        {data && <ResourcePicker resources={data.resources} chosen={resource.name} />}
        <FilterField label="User" param="q" value={params.get('q') ?? ''} />
      </div>
      <section class="panel">
        {!data ? <Trouble failure={failure} /> : lines.length === 0 ? (
          <Empty>Nobody has any work here.</Empty>
        ) : (
          <table class="queues users">
            <caption class="hidden">Users and their {resource.name}</caption>
            <thead>
              <tr>
                <th scope="col">User</th>
                <th scope="col" class="bar-column">{unitWord(resource, most) || 'use'}</th>
                <th scope="col" class="num">in use</th>
                <th scope="col" class="num">waits for</th>
                <th scope="col" class="num">running</th>
                <th scope="col" class="num">pending</th>
                <th scope="col" class="num">pods</th>
                <th scope="col" class="num">longest wait</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => <Line key={line.user} line={line} show={show} index={index}
                most={most} />)}
            </tbody>
          </table>
        )}
      </section>
      <Limits />
    </>
  );
}
