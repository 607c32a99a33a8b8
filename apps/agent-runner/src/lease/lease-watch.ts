import { createChange } from '../change.ts';
import type { LeaseState } from './lease-state.ts';

export type LeaseWatch = {
  state(): LeaseState;
  enter(next: LeaseState): void;
  /** Resolves when another state is entered: running, parked, answered or lost. */
  changed(): Promise<void>;
  /** Aborts when the lease is not ours any more; its reason is a sentence. */
  lost: AbortSignal;
  /** Aborts when nothing more is to be done for the lease, lost or not. */
  over: AbortSignal;
  /** Resolves when the lease runs, or the signal aborts. */
  running(signal: AbortSignal): Promise<void>;
  stop(): void;
};

export function watchLease(first: LeaseState, onChange: () => void): LeaseWatch {
  const over = new AbortController();
  const lost = new AbortController();
  let state = first;
  let alarm: NodeJS.Timeout | undefined;
  const change = createChange();

  function enter(next: LeaseState): void {
    const before = state.kind;
    state = next;
    clearTimeout(alarm);
    if (next.kind === 'lost' && !lost.signal.aborted) lost.abort(next.reason);
    if (next.kind === 'lost') over.abort();
    // A task that others may have claimed must not be worked on: a lease that could not be renewed counts as lost.
    if (next.kind === 'running' && !over.signal.aborted) {
      const late = { kind: 'lost', reason: 'the lease could not be renewed in time' } as const;
      alarm = setTimeout(() => enter(late), next.untilMs - performance.now());
    }
    if (before === next.kind) return;
    change.notify();
    onChange();
  }

  return {
    state: () => state,
    enter,
    changed: change.next,
    lost: lost.signal,
    over: over.signal,
    async running(signal) {
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      while (state.kind !== 'running' && !signal.aborted && !lost.signal.aborted)
        await Promise.race([change.next(), aborted]);
    },
    stop() {
      over.abort();
      clearTimeout(alarm);
    },
  };
}
