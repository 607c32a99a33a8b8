import { useSyncExternalStore } from 'react';
import { exactTimes, useSwitch } from './switches.ts';
import { exactTime, relativeTime, shortTime } from './times.ts';

const tickMs = 30_000;
let nowMs = Date.now();
const listeners = new Set<() => void>();

/** One clock for all times of the page, which stops while the page is hidden. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const timer = setInterval(() => {
    if (document.hidden) return;
    nowMs = Date.now();
    listener();
  }, tickMs);
  return () => {
    clearInterval(timer);
    listeners.delete(listener);
  };
}

/** A relative time, with the exact one in the viewer's zone on hover; a short exact time if the person chose that. */
export function Moment({ at }: { at: string }) {
  const now = useSyncExternalStore(subscribe, () => nowMs);
  const isExact = useSwitch(exactTimes);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {isExact ? shortTime(at) : relativeTime(at, Math.max(now, Date.parse(at) <= Date.now() ? Date.parse(at) : now))}
    </time>
  );
}
