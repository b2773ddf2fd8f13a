// What the server answers. Amounts are integers in a resource's base unit: amount / scale = units.
// Arrays of amounts follow `resources`.

export interface Resource {
  name: string;
  scale: number;
}

export type Amounts = (number | null)[];

export interface Summary {
  now: string;
  version: number | string;
  mode: 'virtual' | 'real';
  state: 'Deciding' | 'Reading' | 'Standby' | 'Stopped';
  speed?: number;
  canSubmit: boolean;
  scheduler: string;
  build: string;
  resources: (Resource & { allocatable: number; allocated: number; requested: number | null })[];
  nodes: { count: number; ready: number };
  pods: { running: number; pending: number; finished: number; foreign: number };
  workloads: { pending: number; admitted: number; running: number; finished: number; hopeless: number };
  topologies: string[]; // whose domains there is a picture of
  totals: { bound: number; evicted: number; admitted: number };
  longestWaiting: { workload: string; seconds: number } | null;
}

export interface Queue {
  name: string;
  parent: string | null;
  ready: string;
  guaranteed: Amounts;
  limit: Amounts;
  requested: Amounts;
  allocated: Amounts;
  fairShare: Amounts;
  pendingWorkloads: number;
  runningWorkloads: number;
}

export interface QueuesAnswer {
  now: string;
  resources: Resource[];
  queues: Queue[];
}

export interface NodesAnswer {
  now: string;
  resources: Resource[];
  names: string[];
  allocatable: number[][];
  allocated: number[][];
  pods: number[];
  state: string[];
  // Who holds how much of `resource` on each node: [name, amount, name, amount, …].
  holders?: { by: string; resource: string; names: string[]; shares: number[][] };
  groups?: { label: string; values: string[]; of: number[] }; // −1: it lacks the label
}

export interface LabelsAnswer {
  labels: { key: string; values: number; nodes: number }[];
}

// Who of those that wait could use a node, and what it lacks for them.
export interface Asker {
  workload: string;
  queue: string;
  alike: number;
  verdict: 'HasRoom' | 'Lacks' | 'Unfit';
  lacks: string;
  reason: { code: string; message: string } | null;
}

export interface AskersAnswer {
  waiting: number;
  unseen: number;
  more: number;
  askers: Asker[];
}

export interface Domain {
  path: string[]; // none: the nodes that are in no domain
  nodes: number;
  ready: number;
  allocatable: number[];
  allocated: number[];
  free: number[];
  freeNodes: number[];
  partNodes: number[];
  fullNodes: number[];
  workloads: [place: number, pods: number][];
  more: number;
}

export interface DomainTopology {
  name: string;
  levels: string[];
  level: number;
  domains: Domain[];
}

export interface DomainsAnswer {
  now: string;
  resources: Resource[];
  topologies: DomainTopology[];
  workloads: string[];
}

export interface NodePod {
  pod: string;
  workload?: string;
  queue?: string;
  request: Amounts;
  state: string;
  foreign: boolean;
}

export interface NodeAnswer {
  now: string;
  resources: Resource[];
  name: string;
  state: string;
  labels?: Record<string, string>;
  allocatable: Amounts;
  allocated: Amounts;
  pods: NodePod[];
}

export interface WorkloadRow {
  workload: string;
  kind: string;
  queue: string;
  user: string;
  priority: number;
  state: 'Pending' | 'Admitted' | 'Running' | 'Finished';
  wanted: number;
  running: number;
  admitted: number | null;
  asks: number[]; // by `resources` of the answer
  created: string;
  started: string | null;
  runSeconds: number | null; // as long it runs, by what is said of it
  waitingSeconds: number;
  position: number | null; // in its queue
  hopeless: boolean; // it can never start as it is written
  expectedStart: { at: string; from: string | null; until: string | null; basis: string } | null;
  reason: { code: string; message: string } | null;
}

export interface WorkloadsAnswer {
  now: string;
  resources: Resource[];
  total: number;
  matching: number;
  rows: WorkloadRow[];
}

export interface WorkloadAnswer extends WorkloadRow {
  now: string;
  resources: Resource[];
  podSets: { name: string; count: number; admitted: number | null; running: number }[];
  pods: { pod: string; node: string | null; state: string }[];
  podsTotal: number;
}

export interface Reason {
  code: string;
  message: string;
  remedy?: string;
  until?: string;
}

// What an expected start rests on: how long what runs may run, is said to, or such work did.
export type Basis = 'Limits' | 'Expected' | 'History';

export interface ExpectedStart {
  at?: string;
  from?: string;
  until?: string;
  basis?: Basis;
  unknown?: string[];
}

export interface Explanation {
  now: string;
  state: string;
  reasons: Reason[];
  protections?: { action: string; until: string; message?: string; queue?: string }[];
  notBefore?: string;
  expectedStart?: ExpectedStart;
  room?: { at: string; ended: string[] };
  reserved?: { at?: string; nodes: string[] };
  overtakenBy?: string[];
}

export interface Decision {
  seq: number;
  time: string;
  type: string;
  pod?: string;
  node?: string;
  workload?: string;
  queue?: string;
  user?: string;
  action?: string;
  for?: string;
  reason?: string;
  podSets?: { name: string; count: number }[];
}

export interface UserLine {
  user: string;
  running: number;
  pending: number;
  pods: number;
  longestWaitingSeconds: number;
  allocated: number[];
  waiting: number[];
}

export interface UsersAnswer {
  now: string;
  resources: Resource[];
  users: UserLine[];
}

export interface TableAnswer {
  columns: string[];
  rows: string[][];
}

interface Facet {
  name: string;
  count: number;
}

export interface FacetsAnswer {
  namespaces: Facet[];
  queues: Facet[];
  users: Facet[];
  reasons: Facet[];
}

export interface AheadAnswer {
  now: string;
  windows: { name: string; from: string; until: string | null; nodes: number; queues: string[] }[];
  reservations: { workload: string; at: string | null; since: string; nodes: string[] }[];
}

export interface KindsAnswer {
  kinds: { kind: string; plural: string; apiVersion: string; namespaced: boolean }[];
}

export interface DecisionsAnswer {
  rows: Decision[];
  more: boolean;
}

export interface UsagePoint {
  time: string;
  allocatable: Amounts | null;
  allocated: Amounts;
  requested: Amounts;
  fairShare: Amounts | null;
  running: number;
  pending: number;
  waitingMaxSeconds: number;
}

export interface UsageAnswer {
  queue: string;
  resources: Resource[];
  stepSeconds: number;
  points: UsagePoint[];
}

export interface EndedRow {
  seq: number;
  workload: string;
  queue?: string;
  user?: string;
  created: string;
  started?: string;
  finished: string;
  pods: number;
  evictions: number;
  outcome: string;
  used: Record<string, number>;
}

export interface EndedAnswer {
  rows: EndedRow[];
  more: boolean;
}

// What came of the starts that were said first of each workload.
export interface EstimateScore {
  queue: string; // empty: all that were asked for
  basis: Basis;
  said: number;
  started: number;
  judged: number; // it started, or its range is over
  within: number;
  withinPercent?: number;
  medianErrorSeconds?: number;
}

export interface EstimatesAnswer {
  rows: EstimateScore[];
  more: boolean;
}

export interface Submitted {
  created: number;
  configured: number;
  later: number;
  objects: { kind: string; name: string; result: string }[];
  warnings: string[];
}
