import { useSyncExternalStore } from 'react';

/** A preference of the person, kept in this browser. */
export type Switch = {
  isOn: () => boolean;
  set: (isOn: boolean) => void;
  subscribe: (listener: () => void) => () => void;
};

function createSwitch(name: string, isOnAtFirst: boolean): Switch {
  const key = `eas-${name}`;
  const listeners = new Set<() => void>();
  let isOn = readKept(key) ?? isOnAtFirst;
  return {
    isOn: () => isOn,
    set(next) {
      isOn = next;
      try {
        localStorage.setItem(key, next ? 'on' : 'off');
      } catch {
        // Without storage the preference lasts until the page is closed.
      }
      listeners.forEach((listener) => listener());
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function readKept(key: string): boolean | undefined {
  try {
    const kept = localStorage.getItem(key);
    return kept === null ? undefined : kept === 'on';
  } catch {
    return undefined;
  }
}

/** Whether single characters are commands. */
export const characterKeys = createSwitch('keys', true);
/** Whether times are shown exactly, in place of "5 min. ago". */
export const exactTimes = createSwitch('exact-times', false);

export const useSwitch = ({ subscribe, isOn }: Switch): boolean => useSyncExternalStore(subscribe, isOn);
