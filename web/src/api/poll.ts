import { useEffect, useRef, useState } from 'preact/hooks';

import { type Failure, getJson } from './client';

export interface Polled<T> {
  data: T | null;
  failure: Failure | null; // of the last request; `data` stays what it was
  ofUrl: string; // what was asked for `data`
}

interface Options {
  everyMs?: number;
  // Asks again at once when it changes; the URL itself, unless that moves with the time.
  key?: string;
}

// Asks for `url` again and again while the page is visible; null: not at all. What was answered
// stays until the next answer, so that nothing jumps while a filter is typed.
export function usePoll<T>(url: string | null, options: Options = {}): Polled<T> {
  const { everyMs = 1000, key = url } = options;
  const [polled, setPolled] = useState<Polled<T>>({ data: null, failure: null, ofUrl: '' });
  const latest = useRef(url);
  latest.current = url;

  useEffect(() => {
    if (key === null) return;
    const end = new AbortController();
    let timer = 0;
    let busy = false;
    const look = async () => {
      clearTimeout(timer);
      const wanted = latest.current;
      if (busy || document.hidden || wanted === null) return;
      busy = true;
      const got = await getJson<T>(wanted, end.signal);
      busy = false;
      if (end.signal.aborted) return;
      setPolled((before) => {
        if (!got.ok) return { ...before, failure: got.failure };
        if (got.data === before.data && !before.failure) return before;
        return { data: got.data, failure: null, ofUrl: wanted };
      });
      timer = window.setTimeout(look, everyMs);
    };
    const onVisible = () => void look();
    document.addEventListener('visibilitychange', onVisible);
    void look();
    return () => {
      end.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [key, everyMs]);
  return polled;
}
