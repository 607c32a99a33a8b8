import { basePath } from '../api/base-path.ts';
import { sendSigned } from '../api/client.ts';
import { asProblem, problemOf } from '../api/problem.ts';
import { createFrameReader, type LiveEvent } from './frames.ts';

/**
 * `lost`: what was read may be stale; the stream reconnects. `limited`: the same, but too many streams are open.
 * `refused`: it does not reconnect.
 */
export type StreamState = 'connecting' | 'live' | 'lost' | 'limited' | 'refused';

export type StreamOptions = {
  /** Below the base path: /v1/events/stream. */
  path: string;
  signal: AbortSignal;
  onEvent: (event: LiveEvent) => void;
  /** The position to continue from, also one of another window. */
  from?: string | undefined;
  /** The stream begins: what was read before may be out of date. */
  onOpened?: () => void;
  /** The position after an event, to be passed as `from`. */
  onPosition?: (id: string) => void;
  /** Events may have been missed. */
  onGap: () => void;
  onState: (state: StreamState) => void;
};

/** Two and a half heartbeats: a stream that is silent for longer counts as lost. */
const silenceMs = 40_000;
/** A page that is hidden for this long closes its stream: sessions and browsers have a limited number. */
const hiddenMs = 4_000;

/** Aborts with `signal`, and when the page has been hidden for a while. `end` stops watching. */
export function untilHidden(signal: AbortSignal): { signal: AbortSignal; end: () => void } {
  const hidden = new AbortController();
  const end = whenHidden(hiddenMs, () => hidden.abort());
  return { signal: AbortSignal.any([signal, hidden.signal]), end };
}
const firstDelayMs = 500;
const maxDelayMs = 15_000;

/**
 * Keeps a stream open until `signal` aborts, except while the page is hidden. It continues after the last event that it
 * read, so no event is lost. Returns `refused` when retrying is pointless.
 */
export async function keepStream(options: StreamOptions): Promise<'ended' | 'refused'> {
  const { signal, onOpened = () => {}, onPosition = () => {}, onGap, onState } = options;
  let position = options.from;
  let failures = 0;
  while (!signal.aborted) {
    await untilShown(signal);
    let retryAfterMs: number | undefined;
    let isLimited = false;
    try {
      await readStream(options, position, (id) => {
        if (position === undefined) onOpened();
        position = id;
        onPosition(id);
        failures = 0;
        onState('live');
      });
    } catch (error) {
      const { kind, retryAfterMs: afterMs } = asProblem(error);
      retryAfterMs = afterMs;
      isLimited = kind === 'rate_limited';
      if (kind === 'forbidden' || kind === 'not_found') {
        onState('refused');
        return 'refused';
      }
      // The position may be too old to continue from.
      if (kind === 'invalid') position = undefined;
    }
    if (signal.aborted) return 'ended';
    if (position === undefined) onGap();
    if (isLimited) onState('limited');
    else if (failures > 0 || !navigator.onLine) onState('lost');
    await pause(Math.max(retryAfterMs ?? 0, Math.min(maxDelayMs, firstDelayMs * 2 ** failures)), signal);
    failures += 1;
  }
  return 'ended';
}

async function readStream(
  { path, signal, onEvent }: StreamOptions,
  position: string | undefined,
  onPosition: (id: string) => void,
): Promise<void> {
  const silence = new AbortController();
  const cut = () => silence.abort();
  const headers: Record<string, string> = position === undefined ? {} : { 'last-event-id': position };
  const init = { headers, signal: AbortSignal.any([signal, silence.signal]) };
  const response = await sendSigned(new Request(location.origin + basePath + path, init));
  if (!response.ok || !response.body) {
    throw problemOf(response.status, response.headers, await response.json().catch(() => undefined));
  }
  const feed = createFrameReader(onEvent, onPosition);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let timer = setTimeout(cut, silenceMs);
  const stopWatching = whenHidden(hiddenMs, cut);
  addEventListener('offline', cut);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(cut, silenceMs);
      feed(part.value);
    }
  } finally {
    clearTimeout(timer);
    stopWatching();
    removeEventListener('offline', cut);
  }
}

/** Calls `work` when the page has been hidden for `ms`; returns a function that cancels that. */
function whenHidden(ms: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(work, ms);
  };
  check();
  document.addEventListener('visibilitychange', check);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', check);
  };
}

export async function untilShown(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted)
    await new Promise<void>((done) => {
      const end = () => {
        document.removeEventListener('visibilitychange', end);
        signal.removeEventListener('abort', end);
        done();
      };
      document.addEventListener('visibilitychange', end);
      signal.addEventListener('abort', end);
    });
}

/** Waits with up to 50 % jitter. Ends early when the browser is online again. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms * (1 + Math.random() / 2));
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
