import { setParams } from '../route';
import { count } from '../text/amounts';

// "1–100 of 3,000" and the ways on.
export function Pager(props: { offset: number; limit: number; matching: number }) {
  const { offset, limit, matching } = props;
  const last = Math.min(matching, offset + limit);
  const to = (next: number) => () => setParams({ offset: next > 0 ? String(next) : undefined });
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={offset === 0} onClick={to(offset - limit)}>Back</button>
      <span>{matching === 0 ? 'none' : `${count(offset + 1)}–${count(last)} of ${count(matching)}`}</span>
      <button type="button" disabled={last >= matching} onClick={to(offset + limit)}>Next</button>
    </nav>
  );
}
