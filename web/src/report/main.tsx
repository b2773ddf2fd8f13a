// A report in one file: its data stands in the page, nothing is fetched.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import 'uplot/dist/uPlot.min.css';

import '../css/base.css';
import '../css/parts.css';
import '../css/pictures.css';
import '../css/report.css';
import { moment } from '../text/time';
import { ComparisonReport } from './comparison';
import { RunReport } from './run';
import type { Report } from './types';

const kDark = matchMedia('(prefers-color-scheme: dark)');

function useScheme(): string {
  const [dark, setDark] = useState(kDark.matches);
  useEffect(() => {
    const follow = () => setDark(kDark.matches);
    kDark.addEventListener('change', follow);
    return () => kDark.removeEventListener('change', follow);
  }, []);
  return dark ? 'dark' : 'light';
}

function Page({ report }: { report: Report }) {
  const theme = useScheme();
  const run = report.runs[0];
  return (
    <main class="report">
      <header>
        <h1>{report.title}</h1>
        {run && (
          <p class="quiet">
            {moment(run.start, '')} – {moment(run.end, '')} · Fairlead {report.version}
            {run.digest && <> · digest <code>{run.digest}</code></>}
          </p>
        )}
        {report.command && <p class="quiet"><code>{report.command}</code></p>}
      </header>
      {report.comparison
        ? <ComparisonReport report={report} comparison={report.comparison} theme={theme} />
        : run && <RunReport run={run} theme={theme} />}
    </main>
  );
}

const data = document.getElementById('data')?.textContent;
const root = document.getElementById('report');
if (root && data) {
  root.replaceChildren();
  render(<Page report={JSON.parse(data) as Report} />, root);
}
