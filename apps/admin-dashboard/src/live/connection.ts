import { useSyncExternalStore } from 'react';
import type { StreamState } from './stream.ts';

let connection: StreamState = 'connecting';
const watchers = new Set<() => void>();

export function setConnection(next: StreamState): void {
  if (next === connection) return;
  connection = next;
  watchers.forEach((watcher) => watcher());
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The state of the page's event stream. */
export const useConnection = (): StreamState => useSyncExternalStore(subscribe, () => connection);
