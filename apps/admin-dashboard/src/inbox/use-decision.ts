import { useMutation, useQueryClient } from '@tanstack/react-query';
import { say, sayProblem } from '../parts/toasts.tsx';

/** Sends a decision: afterwards everything that waits is read again. A refusal leaves what was typed. */
export function useDecision<T>(send: (decision: T) => Promise<unknown>, done: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      say(done);
      onDone();
    },
    onError: (error) => sayProblem('Not sent', error),
    onSettled: () =>
      Promise.all(['inputs', 'reviews', 'tasks'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}
