import { createHook } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { hashPassword, verifyPassword } from './password.ts';

const password = 'correct horse battery staple';

/** How many times argon2 ran. */
async function countRuns(work: () => Promise<unknown>): Promise<number> {
  let runs = 0;
  const hook = createHook({ init: (_id, type) => void (runs += /argon2/i.test(type) ? 1 : 0) }).enable();
  await work();
  hook.disable();
  return runs;
}

describe('a password', () => {
  it('is stored as a PHC string of argon2id with the cost that OWASP recommends', async () => {
    const phc = await hashPassword(password);
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(phc).not.toContain(password);
  });

  it('has another salt each time', async () => {
    expect(await hashPassword(password)).not.toBe(await hashPassword(password));
  });

  it('is only correct letter by letter', async () => {
    const phc = await hashPassword(password);
    expect(await verifyPassword(password, phc)).toBe(true);
    for (const wrong of ['', password.slice(1), `${password} `, password.toUpperCase()])
      expect(await verifyPassword(wrong, phc)).toBe(false);
  });

  it('is the same however a keyboard composes its letters', async () => {
    expect(await verifyPassword('caf\u00e9-caf\u00e9-cafe', await hashPassword('cafe\u0301-cafe\u0301-cafe'))).toBe(
      true,
    );
  });

  it('is checked with the cost under which it was stored', async () => {
    // From the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -e
    const phc = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    expect(await verifyPassword('password', phc)).toBe(true);
    expect(await verifyPassword('Password', phc)).toBe(false);
  });

  it('costs the same work if there is none to compare with', async () => {
    const phc = await hashPassword(password);
    expect(await countRuns(() => verifyPassword(password, phc))).toBe(1);
    for (const nothing of [undefined, null])
      expect(await countRuns(async () => expect(await verifyPassword(password, nothing)).toBe(false))).toBe(1);
  });
});
