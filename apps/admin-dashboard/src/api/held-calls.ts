import { useSyncExternalStore } from 'react';

/** How long a decision can be undone. */
export const holdMs = 10_000;

/** A call that is sent after a delay, unless the person undoes it. */
export type HeldCall = {
  /** What it changes: only one call per ID is held at a time. */
  id: string;
  /** The action, as people read it. */
  title: string;
  /** Returns whether the call was accepted; never throws. `isLeaving`: the page may be gone before the response. */
  send: (isLeaving: boolean) => Promise<boolean>;
  onUndone: () => void;
};

type State = HeldCall & { endsAt: number; timer: ReturnType<typeof setTimeout>; sent?: Promise<boolean> };

export function createHeldCalls() {
  let calls: readonly State[] = [];
  const listeners = new Set<() => void>();
  const find = (id: string) => calls.find((call) => call.id === id);

  function set(next: readonly State[]): void {
    calls = next;
    listeners.forEach((listener) => listener());
  }

  /** Sends the held call for `id`, once. The call counts as held until its response arrives. */
  function send(id: string, isLeaving = false): Promise<boolean> {
    const call = find(id);
    if (!call) return Promise.resolve(true);
    if (call.sent) return call.sent;
    clearTimeout(call.timer);
    const sent = call.send(isLeaving).finally(() => set(calls.filter((one) => one.id !== id)));
    set(calls.map((one) => (one.id === id ? { ...one, sent } : one)));
    return sent;
  }

  return {
    hold(call: HeldCall): void {
      if (find(call.id)) return;
      const timer = setTimeout(() => void send(call.id), holdMs);
      set([...calls, { ...call, timer, endsAt: Date.now() + holdMs }]);
    },
    /** Drops a held call, by default the latest one. */
    undo(id = calls.findLast(({ sent }) => !sent)?.id ?? ''): void {
      const call = find(id);
      if (!call || call.sent) return;
      clearTimeout(call.timer);
      set(calls.filter((one) => one !== call));
      call.onUndone();
    },
    send,
    /** Sends everything at once; returns whether all of it was accepted. */
    async sendAll(isLeaving = false): Promise<boolean> {
      const accepted = await Promise.all(calls.map(({ id }) => send(id, isLeaving)));
      return accepted.every(Boolean);
    },
    list: (): readonly State[] => calls,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const heldCalls = createHeldCalls();

export const useHeldCalls = () => useSyncExternalStore(heldCalls.subscribe, heldCalls.list);

export const useIsHeld = (id: string): boolean => useHeldCalls().some((call) => call.id === id);

/** A page that is hidden or left may never be shown again. */
export function sendHeldCallsOnLeaving(): void {
  addEventListener('pagehide', () => void heldCalls.sendAll(true));
  document.addEventListener('visibilitychange', () => document.hidden && void heldCalls.sendAll(true));
}
