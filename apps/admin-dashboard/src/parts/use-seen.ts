import { useEffect, useState } from 'react';

const seeingMs = 500;

/**
 * Whether `what` has been on the page long enough to be seen. Keys that decide wait for it: a key that was meant for what
 * stood there before decides nothing.
 */
export function useSeen(what: string | undefined): boolean {
  const [seen, setSeen] = useState<string>();
  useEffect(() => {
    if (what === undefined) return undefined;
    const timer = setTimeout(() => setSeen(what), seeingMs);
    return () => clearTimeout(timer);
  }, [what]);
  return what !== undefined && seen === what;
}
