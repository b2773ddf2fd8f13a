// Keys: g and a letter for the views, ? for this list. "/" is the search field's own.
import { useEffect, useRef } from 'preact/hooks';

import { go, hrefOf } from '../route';
import { kViews } from './header';

const kChordMs = 1200;

export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let chordUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest('input, textarea, select')) return;
      const inChord = event.timeStamp < chordUntil;
      chordUntil = !inChord && event.key === 'g' ? event.timeStamp + kChordMs : 0;
      const view = inChord && kViews.find(({ key }) => key === event.key);
      if (view) go(hrefOf(view.path ? [view.path] : []));
      if (event.key === '?') dialog.current?.showModal();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const rows: [string, string][] = [
    ['/', 'search'],
    ...kViews.map(({ key, title }): [string, string] => [`g ${key}`, title]),
    ['← ↑ ↓ →', 'walk over the map of nodes; Enter opens one'],
    ['Ctrl Enter', 'submit what is in the box'],
    ['Esc', 'leave the search, close this'],
    ['?', 'this list'],
  ];
  return (
    <dialog ref={dialog} class="keys" aria-label="Keys" onClick={(event) => {
      if (event.target === dialog.current) dialog.current?.close();
    }}>
      <h2>Keys</h2>
      <dl>
        {rows.map(([key, what]) => (
          <div key={key}>
            <dt>{key.split(' ').map((part) => <kbd key={part}>{part}</kbd>)}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>Close</button>
    </dialog>
  );
}
