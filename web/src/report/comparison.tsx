// Several configurations side by side: means over seeds with their 95 % intervals, and what is
// certainly better or worse than under the first.
import { Distribution } from '../pictures/distribution';
import { count, counted } from '../text/amounts';
import { duration } from '../text/time';
import { show, titleOf } from './figures';
import { PendingPicture, Section, UsePicture } from './run';
import type { Comparison, ComparisonRow, Estimate, Report } from './types';

// Less is better for these; more for kMoreIsBetter; the rest is neither.
const kLessIsBetter = new RegExp('^((waiting|completion|slowdown|reclaim|stops)\\..*|makespan|' +
  'lost|lost\\.percent|fragmentation|evictions|guarantee\\.missing|fairness\\.deviation|workloads\\.pending)$');
const kMoreIsBetter = /^(utilisation|goodput|fairness\.jain|gangs\.within|workloads\.(started|finished))$/;

type Verdict = 'better' | 'worse' | '';

function verdictOf(name: string, difference: Estimate | null): Verdict {
  if (!difference || Math.abs(difference.mean) <= difference.half) return '';
  if (difference.mean === 0) return '';
  if (kLessIsBetter.test(name)) return difference.mean < 0 ? 'better' : 'worse';
  if (kMoreIsBetter.test(name)) return difference.mean > 0 ? 'better' : 'worse';
  return '';
}

const shown = ({ mean, half }: Estimate, unit: string) =>
  half > 1e-9 * Math.abs(mean) ? `${show(mean, unit)} ± ${show(half, unit)}` : show(mean, unit);

function Cell({ row, index }: { row: ComparisonRow; index: number }) {
  const value = row.values[index];
  if (!value) return <td class="num quiet">–</td>;
  const verdict = verdictOf(row.name, row.differences[index] ?? null);
  return (
    <td class={`num ${verdict}`}>
      {shown(value, row.unit)}
      {verdict && <span class="verdict">{verdict}</span>}
    </td>
  );
}

function Table({ comparison, names, rows, label }: { comparison: Comparison; names: string[];
  rows: ComparisonRow[]; label: string }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="plain comparison">
        <thead><tr>
          <th scope="col">{counted(comparison.seeds, 'run')} each</th>
          {names.map((name) => <th scope="col" class="num" key={name}>{name}</th>)}
        </tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.name} ${row.of}`}>
              <th scope="row">{titleOf(row.name)}{' '}
                {row.of && <span class="quiet">{row.of}</span>}</th>
              {names.map((name, index) => <Cell key={name} row={row} index={index} />)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function ComparisonReport({ report, comparison, theme }: { report: Report;
  comparison: Comparison; theme: string }) {
  const names = report.runs.map(({ name }) => name);
  const resource = report.runs[0]?.pictures.resource ?? '';
  const first = comparison.rows.filter(({ of }) => of === '' || of === `resource ${resource}`);
  const rest = comparison.rows.filter((row) => !first.includes(row));
  const curves = report.runs.flatMap((run) => {
    const all = run.pictures.waiting.find(({ of }) => of === '');
    return all ? [{ ...all, label: run.name }] : [];
  });
  return (
    <>
      {comparison.seeds > 1 && (
        <p class="lead">
          Means of {count(comparison.seeds)} runs ± half of their 95 % interval. With each seed every
          arrival is up to {duration(comparison.jitterSeconds)} later, the same under all
          configurations. “Better” and “worse” compare with {names[0]}, and stand only where the
          interval of the difference leaves no doubt.
        </p>
      )}
      <Section title="Side by side">
        <Table comparison={comparison} names={names} rows={first} label="Side by side" /></Section>
      <Section title="How long workloads waited">
        <Distribution curves={curves}
          label="share of workloads that waited no longer than so long, by configuration" />
      </Section>
      {report.runs.map((run) => (
        <div class="two" key={run.name}>
          <Section title={`${run.name}: ${run.pictures.unit}s in use`}>
            <UsePicture run={run} theme={theme} /></Section>
          <Section title={`${run.name}: waiting and giving way`}>
            <PendingPicture run={run} theme={theme} /></Section>
        </div>
      ))}
      <Section title="Everything">
        <details>
          <summary>By queue, size and resource</summary>
          <Table comparison={comparison} names={names} rows={rest} label="Everything" />
        </details>
      </Section>
    </>
  );
}
