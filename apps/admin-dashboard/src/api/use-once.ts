import { useRef } from 'react';
import { asProblem } from './problem.ts';

type Header = { 'Idempotency-Key': string };

/**
 * Sends a POST that acts once, however often the person presses: while it is unknown whether it arrived, it is sent
 * again under the same key. After a response, also one that refuses it, the next one is another request.
 */
export function useOnce(): <T>(post: (header: Header) => Promise<T>) => Promise<T> {
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
