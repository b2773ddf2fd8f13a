import { useEffect, useRef } from 'preact/hooks';

import type { Summary } from '../api/types';
import { hrefOf } from '../route';
import { clock, day } from '../text/time';
import { Icon } from './icons';
import { Search } from './search';
import type { Theme } from './theme';

export const kViews = [
  { path: '', title: 'Overview', key: 'o' },
  { path: 'queues', title: 'Queues', key: 'q' },
  { path: 'nodes', title: 'Nodes', key: 'n' },
  { path: 'workloads', title: 'Workloads', key: 'w' },
  { path: 'gantt', title: 'Gantt', key: 'c' },
  { path: 'timeline', title: 'Timeline', key: 't' },
  { path: 'users', title: 'Users', key: 'u' },
  { path: 'submit', title: 'Submit', key: 's' },
];

const kThemes = { auto: 'as the system', light: 'light', dark: 'dark' };

// The clock of the cluster, which is not always the one on the wall.
function Clock({ summary }: { summary: Summary | null }) {
  if (!summary) return <span class="clock" />;
  const fast = summary.mode === 'virtual' && (summary.speed ?? 1) !== 1;
  return (
    <span class="clock" title={`${summary.now}: the ${summary.mode} cluster's time, UTC`}>
      <span class="clock-day">{day(summary.now)} </span>
      <time dateTime={summary.now}>{clock(summary.now)}</time>
      <span class="zone"> UTC</span>
      {fast && <span class="speed">×{summary.speed}</span>}
    </span>
  );
}

export function Header(props: {
  summary: Summary | null;
  view: string;
  resource: string | null;
  theme: Theme;
  onTheme: () => void;
}) {
  const { summary, view } = props;
  const nav = useRef<HTMLElement>(null);
  // On a phone not all of them are in sight.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [view]);
  const views = kViews.filter(({ path }) => path !== 'submit' || summary?.canSubmit);
  return (
    <header class="top">
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}>Skip to the content</a>
      <a class="brand" href={hrefOf([])} aria-label="Fairlead, overview">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <rect width="16" height="16" rx="4" />
          <path d="M4 4.5h8M4 8h5.5M4 11.5h3" />
        </svg>
        <span>Fairlead</span>
      </a>
      <nav class="views" aria-label="Views" ref={nav}>
        {views.map(({ path, title }) => (
          <a
            key={path}
            href={hrefOf(path ? [path] : [], { r: props.resource ?? undefined })}
            aria-current={path === view ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <div class="tools">
        <Search />
        <Clock summary={summary} />
        <button
          type="button"
          class="theme"
          onClick={props.onTheme}
          aria-label={`Colours: ${kThemes[props.theme]}. Change`}
          title={`Colours: ${kThemes[props.theme]}`}
        >
          <Icon name={props.theme} />
        </button>
      </div>
    </header>
  );
}
