import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Resource } from '../live/stale-after.ts';
import { say } from '../parts/toasts.tsx';

export type ChangeOptions<In, Out> = {
  resource: Resource;
  send: (input: In) => Promise<Out>;
  /** What is said afterwards; '' says nothing. */
  done?: string;
  onDone?: (result: Out) => void;
};

/** Sends a change and reads the resource again, whatever came of it. */
export function useChange<Out, In = void>({ resource, send, done = '', onDone = () => {} }: ChangeOptions<In, Out>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (result) => {
      if (done !== '') say(done);
      onDone(result);
    },
    onSettled: () => client.invalidateQueries({ queryKey: [resource] }),
  });
}
