import type { LiveEvent } from './frames.ts';
import { keepStream, pause, type StreamOptions, type StreamState, untilHidden, untilShown } from './stream.ts';

type Message =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'position'; position: string }
  | { kind: 'state'; state: StreamState }
  | { kind: 'gap' }
  | { kind: 'opened' };

/** Locks exist only in secure contexts; elsewhere each window has its own streams. */
const locks = (navigator as { locks?: LockManager }).locks;

/**
 * Keeps one stream for all windows of the browser with this name: a browser opens six connections to a host. One
 * visible window holds the stream and shares its events; when it closes, another one continues from its position.
 */
export async function shareStream(name: string, options: StreamOptions): Promise<unknown> {
  if (!locks) return keepStream(options);
  const { signal } = options;
  const channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel.close());
  let position: string | undefined;
  let state: StreamState = 'connecting';
  let isHolder = false;

  function receive(message: Message): void {
    if (message.kind === 'event') options.onEvent(message.event);
    else if (message.kind === 'position') position = message.position;
    else if (message.kind === 'gap') options.onGap();
    else if (message.kind === 'state') options.onState((state = message.state));
    else if (isHolder) {
      channel.postMessage({ kind: 'state', state } satisfies Message);
      if (position !== undefined) channel.postMessage({ kind: 'position', position } satisfies Message);
    }
  }
  function send(message: Message): void {
    channel.postMessage(message);
    receive(message);
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data));
  channel.postMessage({ kind: 'opened' } satisfies Message);

  return holdInTurn(name, signal, (held) => {
    isHolder = true;
    return keepStream({
      path: options.path,
      signal: held,
      from: position,
      onEvent: (event) => send({ kind: 'event', event }),
      onPosition: (at) => send({ kind: 'position', position: at }),
      onGap: () => send({ kind: 'gap' }),
      onState: (next) => send({ kind: 'state', state: next }),
    }).finally(() => (isHolder = false));
  });
}

type Keep = (held: AbortSignal) => ReturnType<typeof keepStream>;

/** Holds the lock whenever the page is visible; waits while another window has it. */
async function holdInTurn(name: string, signal: AbortSignal, keep: Keep): Promise<void> {
  while (!signal.aborted) {
    await untilShown(signal);
    const how = await locks?.request(name, { signal }, () => whileShown(signal, keep)).catch(ignore);
    if (how === 'refused') return;
  }
}

async function whileShown(signal: AbortSignal, keep: Keep): ReturnType<Keep> {
  // The page may have been hidden while it waited.
  if (document.hidden || signal.aborted) return 'ended';
  const shown = untilHidden(signal);
  return keep(shown.signal).finally(shown.end);
}

/** More streams that the windows of a browser share: the remaining connections are for requests. */
const slots = ['1', '2'];
/** How often a window without a stream reloads. */
const pollMs = 2_000;

/** Keeps a stream of this window if one is free; otherwise polls as if an event had come. */
export async function keepScarceStream(name: string, options: StreamOptions): Promise<unknown> {
  if (!locks) return keepStream(options);
  const { signal, onGap } = options;
  const keep: Keep = (shown) => keepStream({ ...options, signal: shown });
  const keepOn = (slot: string) =>
    locks.request(`${name} ${slot}`, { ifAvailable: true }, (lock) => (lock ? whileShown(signal, keep) : undefined));
  while (!signal.aborted) {
    await untilShown(signal);
    let how: Awaited<ReturnType<Keep>> | undefined;
    for (const slot of slots) how ??= await keepOn(slot);
    if (how === 'refused') return;
    if (how === 'ended' || signal.aborted) continue;
    onGap();
    await pause(pollMs, signal);
  }
}

const ignore = () => {};
