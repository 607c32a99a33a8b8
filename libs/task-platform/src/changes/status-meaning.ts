import type { PlatformStatusMeaning } from '@eas/contracts';

const byWord: Record<string, PlatformStatusMeaning> = {
  'to do': 'open',
  todo: 'open',
  open: 'open',
  complete: 'completed',
  completed: 'completed',
  closed: 'completed',
  done: 'completed',
};

const byType: Record<string, PlatformStatusMeaning> = { open: 'open', done: 'completed', closed: 'completed' };

/**
 * What a status means: the integration's own table first, then the type that the platform gives the word, then the
 * built-in words. What none of them knows waits for the platform.
 */
export function statusMeaning(
  map: Record<string, PlatformStatusMeaning>,
  word: string,
  type: string | null,
): PlatformStatusMeaning {
  const lower = word.toLowerCase();
  return own(map, lower) ?? own(byType, type ?? '') ?? own(byWord, lower) ?? 'hold';
}

const own = <T>(table: Record<string, T>, key: string) => (Object.hasOwn(table, key) ? table[key] : undefined);
