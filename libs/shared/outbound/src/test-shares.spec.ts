import { expect, it } from '@jest/globals';
import { createTestShares } from './test-shares.ts';

it('refuses a test while a tenant runs as many as it may, and takes one again when one has ended, also by an error', async () => {
  const shares = createTestShares(10, 1);
  const first = Promise.withResolvers<string>();
  const running = shares.run('a', () => first.promise);
  await expect(shares.run('a', () => Promise.resolve('second'))).rejects.toMatchObject({
    code: 'conflict',
    message: 'The tenant cannot run another test now (limit: 1). Try again when one has ended.',
  });
  await expect(shares.run('b', () => Promise.resolve('other tenant'))).resolves.toBe('other tenant');
  first.reject(new Error('no response'));
  await expect(running).rejects.toThrow('no response');
  await expect(shares.run('a', () => Promise.resolve('third'))).resolves.toBe('third');
});
