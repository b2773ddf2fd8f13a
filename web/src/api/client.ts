// Requests to the server that served this page, and whether it answers at all.

export interface Failure {
  status: number; // 0: no answer
  message: string;
  faults: string[];
}

export type Got<T> = { ok: true; data: T; fresh: boolean } | { ok: false; failure: Failure };

export interface Connection {
  lost: boolean;
  lastAnswer: number; // Date.now(); 0: never
}

let connection: Connection = { lost: false, lastAnswer: 0 };
const listeners = new Set<() => void>();

export const currentConnection = () => connection;

export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setConnection(lost: boolean) {
  const changed = connection.lost !== lost;
  connection = { lost, lastAnswer: lost ? connection.lastAnswer : Date.now() };
  if (changed) for (const listener of listeners) listener();
}

// The last answers, so that an unchanged one is not read again, nor sent where it has an ETag, and
// nothing is drawn anew for it.
const kMostKept = 32;
const kPatienceMs = 15_000;
const kept = new Map<string, { etag: string | null; text: string; data: unknown }>();

function keep(url: string, etag: string | null, text: string, data: unknown) {
  kept.delete(url);
  kept.set(url, { etag, text, data });
  for (const oldest of kept.keys()) {
    if (kept.size <= kMostKept) break;
    kept.delete(oldest);
  }
}

async function failureOf(response: Response): Promise<Failure> {
  const { status, statusText } = response;
  try {
    const told = (await response.json()) as { message?: string; faults?: string[] };
    return { status, message: told.message ?? statusText, faults: told.faults ?? [] };
  } catch {
    return { status, message: statusText, faults: [] };
  }
}

const noAnswer: Failure = { status: 0, message: 'the server does not answer', faults: [] };

async function ask(url: string, init: RequestInit): Promise<Response | null> {
  const patience = AbortSignal.timeout(kPatienceMs);
  const given = init.signal;
  const signal = given && 'any' in AbortSignal ? AbortSignal.any([given, patience]) : patience;
  try {
    const response = await fetch(url, { ...init, signal, cache: 'no-store' });
    setConnection(false);
    if (response.status === 401) window.location.reload(); // to where one logs in
    return response;
  } catch {
    if (!given?.aborted) setConnection(true);
    return null;
  }
}

export async function getJson<T>(url: string, signal: AbortSignal): Promise<Got<T>> {
  const known = kept.get(url);
  const headers: Record<string, string> = known?.etag ? { 'If-None-Match': known.etag } : {};
  const response = await ask(url, { headers, signal });
  if (!response) return { ok: false, failure: noAnswer };
  if (response.status === 304 && known) return { ok: true, data: known.data as T, fresh: false };
  if (!response.ok) return { ok: false, failure: await failureOf(response) };
  try {
    const text = await response.text();
    const fresh = text !== known?.text;
    const data = (fresh ? JSON.parse(text) : known.data) as T;
    keep(url, response.headers.get('ETag'), text, data);
    return { ok: true, data, fresh };
  } catch {
    return { ok: false, failure: { ...noAnswer, message: 'the answer broke off' } };
  }
}

export async function postText<T>(url: string, text: string): Promise<Got<T>> {
  const response = await ask(url, {
    method: 'POST',
    body: text,
    headers: { 'Content-Type': 'text/plain' },
  });
  if (!response) return { ok: false, failure: noAnswer };
  if (!response.ok) return { ok: false, failure: await failureOf(response) };
  return { ok: true, data: (await response.json()) as T, fresh: true };
}

// "/api/…" with those parameters that say something.
export function urlOf(path: string, parameters: Record<string, string | number | undefined>) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

// "namespace/name" as part of a path.
export const pathOf = (name: string) => name.split('/').map(encodeURIComponent).join('/');
