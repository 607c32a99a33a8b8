import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Resource } from '../live/stale-after.ts';

/** The later ones are for a service that has much to do. */
const lateMs = [700, 3_000, 10_000, 30_000];

/** Reads again some times after an event, for data that the service derives from events later. */
export function useLateReads(resource: Resource): void {
  const client = useQueryClient();
  useEffect(() => {
    let timers: ReturnType<typeof setTimeout>[] = [];
    const readAgain = () => void client.refetchQueries({ queryKey: [resource], type: 'active' });
    const stop = client.getQueryCache().subscribe((change) => {
      if (change.type !== 'updated' || change.action.type !== 'invalidate') return;
      if (change.query.queryKey[0] !== resource) return;
      timers.forEach(clearTimeout);
      timers = lateMs.map((ms) => setTimeout(readAgain, ms));
    });
    return () => {
      timers.forEach(clearTimeout);
      stop();
    };
  }, [client, resource]);
}
