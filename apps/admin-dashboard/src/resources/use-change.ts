import { useMutation, useQueryClient } from '@tanstack/react-query';
import { exists } from '../live/deleted.ts';
import { type Resource, staleAfterChange } from '../live/stale-after.ts';
import { say, sayProblem } from '../parts/toasts.tsx';

export type ChangeOptions<In, Out> = {
  resource: Resource;
  send: (input: In) => Promise<Out>;
  /** ID of the resource that the change deletes: it is not reloaded. */
  deletes?: string;
  /** The message afterwards; '' for none. */
  done?: string;
  onDone?: (result: Out) => void;
  /** A message when it was refused, followed by the reason: `Not deleted`. */
  failed?: string;
};

/** Sends a change and reloads the resource, whatever the result. */
export function useChange<Out, In = void>(options: ChangeOptions<In, Out>) {
  const { resource, send, deletes, done = '', onDone = () => {} } = options;
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    meta: { deletes },
    onSuccess: (result) => {
      if (done !== '') say(done);
      onDone(result);
    },
    onError: (error) => {
      if (options.failed !== undefined) sayProblem(options.failed, error);
    },
    onSettled: (_result, error) => {
      const stillThere = error ? {} : { predicate: exists(client) };
      const stale = staleAfterChange(resource);
      return Promise.all(stale.map((one) => client.invalidateQueries({ queryKey: [one], ...stillThere })));
    },
  });
}
