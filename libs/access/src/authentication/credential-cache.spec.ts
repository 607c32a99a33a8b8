import type { Principal } from '@eas/contracts';
import { AppError } from '@eas/core';
import { silentLogger } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { createCredentialCache } from './credential-cache.ts';

/** Every text is valid; it depends on its own id and on that of its first letter. */
function scene() {
  const lookedUp: string[] = [];
  const cache = createCredentialCache({
    find: async (_, text) => {
      lookedUp.push(text);
      const principal = { credentialId: text } as Principal;
      return { principal, ids: [text, text.slice(0, 1)], validForMs: null };
    },
    refuse: () => new AppError('unauthorized'),
    logger: silentLogger,
    freshMs: 60_000,
    staleMs: 60_000,
  });
  const ask = async (...texts: string[]) => {
    lookedUp.length = 0;
    for (const text of texts) await cache.principalOf(text);
    return [...lookedUp];
  };
  return { ask, drop: cache.drop };
}

describe('the cache of credentials', () => {
  it('drops the least recently used one when there are too many', async () => {
    const { ask } = scene();
    const texts = Array.from({ length: 20_000 }, (_, n) => `a${n}`);
    await ask(...texts);
    expect(await ask('a0', 'b')).toEqual(['b']);
    expect(await ask('a0', 'b', 'a2')).toEqual([]);
    expect(await ask('a1')).toEqual(['a1']);
  });

  it.each([
    ['a', ['a1', 'a2', 'a3']],
    ['b', ['b1']],
    ['a2', ['a2']],
    ['c', []],
    ['', ['a1', 'b1', 'a2', 'a3']],
  ])('drops all that rest on the id %j and no other', async (changed, dropped) => {
    const { ask, drop } = scene();
    const texts = ['a1', 'b1', 'a2', 'a3'];
    await ask(...texts);
    drop(changed);
    expect(await ask(...texts)).toEqual(dropped);
  });
});
