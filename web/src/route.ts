// Where in the page we are: "#/workloads/vision/train?state=Pending". Every view can be linked to.
import { useEffect, useState } from 'preact/hooks';

export interface Route {
  path: string[]; // decoded segments
  params: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, '');
  const [path = '', query = ''] = text.split('?', 2);
  const segments = path.split('/').filter((segment) => segment !== '');
  return { path: segments.map(decode), params: new URLSearchParams(query) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export type Params = Record<string, string | undefined>;

// A link; parameters without a value are left out.
export function hrefOf(path: string[], params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const text = query.toString().replaceAll('%2F', '/');
  return `#/${path.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`;
}

export const workloadHref = (name: string) => hrefOf(['workloads', ...name.split('/')]);
export const queueHref = (name: string) => hrefOf(['queues', name]);
export const nodeHref = (name: string) => hrefOf(['nodes', name]);

export function go(href: string) {
  window.location.hash = href;
}

// Changes parameters of where we are. Typing replaces the entry of the history, choosing adds one.
export function setParams(changes: Params, how: 'replace' | 'push' = 'push') {
  const { path, params } = parseRoute(window.location.hash);
  const next: Params = { ...Object.fromEntries(params), ...changes };
  const href = hrefOf(path, next);
  if (how === 'push') {
    go(href);
  } else {
    window.history.replaceState(null, '', href);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(window.location.hash));
  useEffect(() => {
    const onChange = () => setRoute(parseRoute(window.location.hash));
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, []);
  return route;
}
