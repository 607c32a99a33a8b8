import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { Resource } from '../live/stale-after.ts';
import { useShortcuts } from '../parts/shortcuts.ts';

/** Access has no events: its pages reload when they are opened, when the window gets the focus, and with `r`. */
export function useReadsAgain(resource: Resource): void {
  const client = useQueryClient();
  const readAgain = useCallback(() => {
    const predicate = ({ state }: { state: { data: unknown } }) => state.data !== undefined;
    void client.invalidateQueries({ queryKey: [resource], predicate });
  }, [client, resource]);
  useShortcuts([{ keys: 'r', label: 'Read again', run: readAgain }]);
  useEffect(() => {
    readAgain();
    addEventListener('focus', readAgain);
    return () => removeEventListener('focus', readAgain);
  }, [readAgain]);
}
