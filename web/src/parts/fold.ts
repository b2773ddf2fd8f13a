// Decisions about pods of one workload that were made at once are one line.
import type { Decision } from '../api/types';

export interface Fold {
  first: Decision;
  rows: Decision[]; // one or more
}

const sameOf = (row: Decision) =>
  JSON.stringify([row.time, row.type, row.workload, row.queue, row.for, row.action, row.reason]);

// Neighbours that say the same of several pods.
export function folded(rows: Decision[]): Fold[] {
  const folds: Fold[] = [];
  for (const row of rows) {
    const last = folds.at(-1);
    if (last && row.pod && row.workload && sameOf(last.first) === sameOf(row)) {
      last.rows.push(row);
    } else {
      folds.push({ first: row, rows: [row] });
    }
  }
  return folds;
}
