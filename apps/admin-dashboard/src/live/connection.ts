import { useSyncExternalStore } from 'react';
import { basePath } from '../api/base-path.ts';
import { sendSigned } from '../api/client.ts';
import { asProblem, problemOf } from '../api/problem.ts';
import { createFrameReader, type LiveEvent } from './frames.ts';

/** `lost`: the page may be out of date; it goes on trying. */
export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

/** Two heartbeats and a half: a stream that is silent for longer is gone, whatever the network says. */
const silenceMs = 40_000;
const firstDelayMs = 500;
const maxDelayMs = 15_000;

let connection: Connection = 'connecting';
const watchers = new Set<() => void>();
const listeners = new Set<(event: LiveEvent) => void>();

function setConnection(next: Connection): void {
  if (next === connection) return;
  connection = next;
  watchers.forEach((watcher) => watcher());
}

/** Called with each event of the tenant that the person may read. */
export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps one stream open until `signal` aborts. It continues after the last event that it read: none is lost. */
export async function keepStream(signal: AbortSignal, onGap: () => void): Promise<void> {
  let position: string | undefined;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await readStream(signal, position, (id) => {
        position = id;
        failures = 0;
        setConnection('live');
      });
    } catch (error) {
      if (isFinal(error)) return setConnection('refused');
      // The position may be too old to continue from: then everything is read again.
      if (asProblem(error).kind === 'invalid') position = undefined;
    }
    if (signal.aborted) return;
    if (position === undefined) onGap();
    if (failures > 0 || !navigator.onLine) setConnection('lost');
    await pause(Math.min(maxDelayMs, firstDelayMs * 2 ** failures), signal);
    failures += 1;
  }
}

const isFinal = (error: unknown): boolean => asProblem(error).kind === 'forbidden';

async function readStream(signal: AbortSignal, position: string | undefined, onPosition: (id: string) => void) {
  const silence = new AbortController();
  const headers: Record<string, string> = position === undefined ? {} : { 'last-event-id': position };
  const init = { headers, signal: AbortSignal.any([signal, silence.signal]) };
  const response = await sendSigned(new Request(`${location.origin}${basePath}/v1/events/stream`, init));
  if (!response.ok || !response.body) {
    throw problemOf(response.status, response.headers, await response.json().catch(() => undefined));
  }
  const cut = () => silence.abort();
  addEventListener('offline', cut);
  const feed = createFrameReader((event) => listeners.forEach((listener) => listener(event)), onPosition);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let timer = setTimeout(cut, silenceMs);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(cut, silenceMs);
      feed(part.value);
    }
  } finally {
    clearTimeout(timer);
    removeEventListener('offline', cut);
  }
}

/** Ends early when the browser is back online. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms * (0.75 + Math.random() / 2));
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);
