import { useEffect, useState } from 'react';

const settlingMs = 500;

/**
 * Whether `what` has stayed the same for half a second. Keys whose meaning changes wait for it, so that a key pressed
 * for the previous content decides nothing.
 */
export function useSettled(what: string | undefined): boolean {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    if (what === undefined) return undefined;
    const timer = setTimeout(() => setSettled(what), settlingMs);
    return () => clearTimeout(timer);
  }, [what]);
  return what !== undefined && settled === what;
}
