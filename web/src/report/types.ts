// What the report's page is given: see src/cli/report_html.h.

export interface Figure {
  name: string;
  of: string; // "queue a", "size 1 GPU", "resource cpu"; empty: of all
  unit: string;
  value: number;
}

export interface QueuePicture {
  name: string;
  allocated: number[];
  fair: number[];
  requested: number[];
}

export interface Waiting {
  of: string;
  percent: number[];
  seconds: number[];
}

export interface Pictures {
  resource: string;
  unit: string;
  stepSeconds: number;
  offered: number[];
  pending: number[];
  evictions: number[];
  queues: QueuePicture[];
  waiting: Waiting[];
}

export interface Run {
  name: string; // of its configuration
  start: string;
  end: string;
  digest: string;
  figures: Figure[];
  pictures: Pictures;
}

// The mean over seeds, and half of its 95 % interval; null where there is no such figure.
export interface Estimate {
  mean: number;
  half: number;
}

export interface ComparisonRow {
  name: string;
  of: string;
  unit: string;
  values: (Estimate | null)[]; // by configuration
  differences: (Estimate | null)[]; // to the first, of the same seed; the first's own is null
}

export interface Comparison {
  seeds: number;
  jitterSeconds: number;
  rows: ComparisonRow[];
}

export interface Report {
  title: string;
  version: string;
  command: string;
  runs: Run[]; // of a comparison: each configuration's first seed
  comparison: Comparison | null;
}
