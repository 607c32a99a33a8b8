import { useRef } from 'react';
import { asProblem } from './problem.ts';

export type OnceHeader = { 'Idempotency-Key': string };

/**
 * Sends a POST that must act once, however often the person presses: until a response arrives, repeats use the same
 * idempotency key. After a response, even an error, the next press is a new request.
 */
export function useOnce(): <T>(post: (header: OnceHeader) => Promise<T>) => Promise<T> {
  const key = useRef(crypto.randomUUID());
  return async (post) => {
    try {
      const result = await post({ 'Idempotency-Key': key.current });
      key.current = crypto.randomUUID();
      return result;
    } catch (error) {
      if (!['offline', 'unavailable'].includes(asProblem(error).kind)) key.current = crypto.randomUUID();
      throw error;
    }
  };
}
