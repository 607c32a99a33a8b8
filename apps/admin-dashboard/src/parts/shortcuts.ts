import { useEffect, useRef, useSyncExternalStore } from 'react';
import { characterKeys } from './switches.ts';

/** `keys`: "j", "?", or two keys in a row: "g i". */
export type Shortcut = { keys: string; label: string; run: () => void };

let active: readonly Shortcut[] = [];
/** The first key of a sequence of two. */
let prefix: string | undefined;
const listeners = new Set<() => void>();

function setActive(next: readonly Shortcut[]): void {
  active = next;
  listeners.forEach((listener) => listener());
}

/** Enables keys while the component is shown, and lists them in the help. Keys typed into fields are ignored. */
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

/**
 * What a key does, given the first key of a pending sequence: the shortcut that was registered last, or the start of a
 * sequence. The second key of an unknown sequence does nothing: as a single key it may decide something.
 */
export function findShortcut(
  all: readonly Shortcut[],
  before: string | undefined,
  key: string,
): { shortcut?: Shortcut | undefined; prefix?: string } {
  if (before !== undefined) return { shortcut: all.findLast((one) => one.keys === `${before} ${key}`) };
  const begins = all.some(({ keys }) => keys.startsWith(`${key} `));
  return begins ? { prefix: key } : { shortcut: all.findLast((one) => one.keys === key) };
}

const modifiers = ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock'];

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.matches('input, textarea, select') || target.closest('[role=dialog]') !== null
  );
}

export function listenToShortcuts(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (!characterKeys.isOn() || modifiers.includes(event.key) || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return forget();
    const { shortcut, prefix: begun } = findShortcut(active, prefix, event.key);
    prefix = begun;
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  };
  const forget = () => {
    prefix = undefined;
  };
  addEventListener('keydown', onKey);
  addEventListener('pointerdown', forget);
  return () => {
    removeEventListener('keydown', onKey);
    removeEventListener('pointerdown', forget);
  };
}
