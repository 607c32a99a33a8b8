import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Resource } from '../live/stale-after.ts';

const lateMs = 700;

/** Reads once more a moment after an event, for data that the service derives from events later. */
export function useLateReads(resource: Resource): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = client.getQueryCache().subscribe((change) => {
      if (change.type !== 'updated' || change.action.type !== 'invalidate') return;
      if (change.query.queryKey[0] !== resource) return;
      clearTimeout(timer);
      timer = setTimeout(() => void client.refetchQueries({ queryKey: [resource], type: 'active' }), lateMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, resource]);
}
