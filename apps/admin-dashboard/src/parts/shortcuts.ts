import { useEffect, useRef, useSyncExternalStore } from 'react';

/** `keys`: "j", "?", or two keys in a row: "g i". */
export type Shortcut = { keys: string; label: string; run: () => void };

const sequenceMs = 1_200;
let active: readonly Shortcut[] = [];
let first: { key: string; atMs: number } | undefined;
const listeners = new Set<() => void>();

function setActive(next: readonly Shortcut[]): void {
  active = next;
  listeners.forEach((listener) => listener());
}

/** Makes keys work while the component is shown, and lists them in the help. Texts that are typed are left alone. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = shortcuts.map(({ keys, label }) => `${keys}\t${label}`).join('\n');
  useEffect(() => {
    const own = latest.current.map(({ keys, label }) => ({
      keys,
      label,
      run: () => latest.current.find((one) => one.keys === keys)?.run(),
    }));
    setActive([...active, ...own]);
    return () => setActive(active.filter((one) => !own.includes(one)));
  }, [names]);
}

export const useActiveShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => active,
  );

/** The shortcut that a key ends, given the key before it; the one that came last wins. */
export function findShortcut(all: readonly Shortcut[], before: string | undefined, key: string): Shortcut | undefined {
  const last = (keys: string) => all.findLast((one) => one.keys === keys);
  return (before === undefined ? undefined : last(`${before} ${key}`)) ?? last(key);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.matches('input, textarea, select') || target.closest('[role=dialog]') !== null
  );
}

export function listenToShortcuts(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
    const nowMs = performance.now();
    const before = first && nowMs - first.atMs < sequenceMs ? first.key : undefined;
    first = { key: event.key, atMs: nowMs };
    const found = findShortcut(active, before, event.key);
    if (!found) return;
    event.preventDefault();
    first = undefined;
    found.run();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
