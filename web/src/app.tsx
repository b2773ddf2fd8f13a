import { useEffect, useRef } from 'preact/hooks';

import { usePoll } from './api/poll';
import type { Summary } from './api/types';
import { Banner, useConnection } from './parts/banner';
import { PageContext } from './parts/context';
import { Header, kViews } from './parts/header';
import { Keys } from './parts/keys';
import { useTheme } from './parts/theme';
import { type Route, useRoute } from './route';
import { GanttView } from './views/gantt';
import { NodesView } from './views/nodes';
import { OverviewView } from './views/overview';
import { QueueView } from './views/queue';
import { QueuesView } from './views/queues';
import { SubmitView } from './views/submit';
import { TimelineView } from './views/timeline';
import { UsersView } from './views/users';
import { WorkloadView } from './views/workload';
import { WorkloadsView } from './views/workloads';

function View({ route }: { route: Route }) {
  const { path, params } = route;
  const [view, first, ...rest] = path;
  const name = [first, ...rest].join('/');
  switch (view) {
    case undefined:
      return <OverviewView params={params} />;
    case 'queues':
      return first ? <QueueView key={first} name={first} params={params} />
        : <QueuesView params={params} />;
    case 'nodes':
      return <NodesView chosen={first ?? ''} params={params} />;
    case 'workloads':
      return first ? <WorkloadView key={name} name={name} /> : <WorkloadsView params={params} />;
    case 'gantt':
      return <GanttView params={params} />;
    case 'users':
      return <UsersView params={params} />;
    case 'timeline':
      return <TimelineView params={params} />;
    case 'submit':
      return <SubmitView />;
    default:
      return <p class="empty">There is nothing at {window.location.hash}.</p>;
  }
}

// Where the focus goes when another view opens, so that the keyboard goes on there.
function useFocusOnView(place: string) {
  const main = useRef<HTMLElement>(null);
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    // Who searches again already keeps the field.
    if (!document.activeElement?.closest('.search')) main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [place]);
  return main;
}

export function App() {
  const route = useRoute();
  const theme = useTheme();
  const { lost } = useConnection();
  const { data: summary } = usePoll<Summary>('/api/v1/view/summary');
  const view = route.path[0] ?? '';
  // Choosing a node keeps the map, and the focus on it.
  const main = useFocusOnView(view === 'nodes' ? view : route.path.join('/'));
  const title = kViews.find(({ path }) => path === view)?.title ?? 'Fairlead';
  useEffect(() => {
    document.title = [...route.path.slice(1), title, 'Fairlead'].join(' · ');
  }, [route]);
  return (
    <PageContext.Provider value={{ summary, theme: theme.inForce }}>
      <Header summary={summary} view={view} resource={route.params.get('r')}
        theme={theme.setting} onTheme={theme.next} />
      <Banner summary={summary} />
      <main id="main" tabIndex={-1} ref={main} class={lost ? 'stale' : ''}>
        <View route={route} />
      </main>
      <footer class="foot">
        <span>{summary ? `Fairlead ${summary.build}, scheduler “${summary.scheduler}”` : 'Fairlead'}</span>
        <span><kbd>?</kbd> keys</span>
        <a href="/assets/licences.txt">licences</a>
      </footer>
      <Keys />
    </PageContext.Provider>
  );
}
