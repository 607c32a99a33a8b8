import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { asProblem } from '../api/problem.ts';
import type { Resource } from '../live/stale-after.ts';
import { useShortcuts } from '../parts/shortcuts.ts';
import { useChange } from '../work/use-change.ts';
import type { Opened } from './access-queries.ts';

/** Access has no events: its pages read again when they are opened, when the window gets the focus, and with `r`. */
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

export type EditOptions<T, Body> = {
  resource: Resource;
  opened: Opened<T>;
  readAgain: () => Promise<Opened<T>>;
  send: (body: Body, ifMatch: { 'If-Match': string }) => Promise<unknown>;
  done: string;
  onDone: () => void;
};

/**
 * Changes the version that was opened. When somebody else changed it meanwhile, the change is refused, `theirs` is what
 * it is by now, and the next one is made to that.
 */
export function useEdit<T, Body>({ resource, opened, readAgain, send, done, onDone }: EditOptions<T, Body>) {
  const [first] = useState(opened);
  const [base, setBase] = useState(opened);
  const change = useChange({
    resource,
    send: async (body: Body) => {
      try {
        return await send(body, { 'If-Match': base.etag });
      } catch (error) {
        if (asProblem(error).status === 412) setBase(await readAgain());
        throw error;
      }
    },
    done,
    onDone,
  });
  const verb = base.etag === first.etag ? 'Save' : 'Save over it';
  return { before: first.item, theirs: base.item, verb, change };
}
