// The search field at the top: workloads, queues and nodes by name.
import { useEffect, useRef, useState } from 'preact/hooks';

import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { NodesAnswer, QueuesAnswer, WorkloadsAnswer } from '../api/types';
import { go, hrefOf, nodeHref, queueHref, workloadHref } from '../route';
import { Icon } from './icons';

interface Hit {
  kind: string;
  name: string;
  href: string;
}

const kMost = 6;
const kEveryMs = 5000;

function useHits(text: string, open: boolean): Hit[] {
  const wanted = text.trim().toLowerCase();
  const on = open && wanted !== '';
  const workloads = usePoll<WorkloadsAnswer>(
    on ? urlOf('/api/v1/view/workloads', { q: wanted, sort: 'name', limit: kMost }) : null,
    { everyMs: kEveryMs });
  const queues = usePoll<QueuesAnswer>(on ? '/api/v1/view/queues' : null, { everyMs: kEveryMs });
  const nodes = usePoll<NodesAnswer>(on ? '/api/v1/view/nodes' : null, { everyMs: kEveryMs });
  if (!on) return [];
  const has = (name: string) => name.toLowerCase().includes(wanted);
  const hits = (kind: string, names: string[], href: (name: string) => string) =>
    names.filter(has).slice(0, kMost).map((name) => ({ kind, name, href: href(name) }));
  return [
    ...hits('Queue', queues.data?.queues.map((queue) => queue.name) ?? [], queueHref),
    ...hits('Workload', workloads.data?.rows.map((row) => row.workload) ?? [], workloadHref),
    ...hits('Node', nodes.data?.names ?? [], nodeHref),
    { kind: 'All', name: `workloads with “${text.trim()}”`,
      href: hrefOf(['workloads'], { q: text.trim() }) },
  ];
}

export function Search() {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const hits = useHits(text, open);
  const chosen = Math.min(at, hits.length - 1);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest('input, textarea, select')) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const leave = () => {
    setOpen(false);
    setText('');
    input.current?.blur();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return leave();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt(Math.max(0, Math.min(hits.length - 1, chosen + step)));
      event.preventDefault();
    } else if (event.key === 'Enter') {
      const hit = hits[chosen];
      if (hit) go(hit.href);
      leave();
      event.preventDefault();
    }
  };
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        placeholder="Search"
        aria-label="Search workloads, queues and nodes"
        aria-keyshortcuts="/"
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls="hits"
        aria-activedescendant={hits.length > 0 ? `hit-${chosen}` : undefined}
        autoComplete="off"
        spellcheck={false}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
      <ul id="hits" class="hits" role="listbox" aria-label="Found" hidden={hits.length === 0}>
        {hits.map((hit, index) => (
          <li
            key={hit.href}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === chosen}
            // Before the field loses the focus, and this list with it.
            onMouseDown={(event) => {
              event.preventDefault();
              go(hit.href);
              leave();
            }}
          >
            <span class="hit-kind">{hit.kind}</span> {hit.name}
          </li>
        ))}
      </ul>
    </div>
  );
}
