import { describe, expect, it } from '@jest/globals';
import { createLockBreaker } from './lock-breaker.ts';
import { Unavailable } from './unavailable.ts';

const tableTimeout = Object.assign(new Error('lock timeout'), { code: '55P03' });
const rowTimeout = Object.assign(new Error('lock timeout'), {
  code: '55P03',
  where: 'while locking tuple (0,1) in relation "tasks"',
});

function scene() {
  let now = 0;
  const changes: boolean[] = [];
  const breaker = createLockBreaker({ nowMs: () => now, onChange: ({ isOpen }) => void changes.push(isOpen) });
  const sent: string[] = [];
  /** Its result: `passed`, `waited` in vain, or `refused` at once. */
  const run = (text: string, outcome?: Error | Promise<void>) =>
    breaker
      .run(text, async () => {
        sent.push(text);
        if (outcome instanceof Error) throw outcome;
        await outcome;
      })
      .then(
        () => 'passed',
        (error: unknown) => (error instanceof Unavailable ? 'refused' : 'waited'),
      );
  return { run, sent, changes, pass: (ms: number) => void (now += ms) };
}

describe('a breaker for locked tables', () => {
  it('lets statements through until one waited in vain for a table, then refuses those with the same text at once', async () => {
    const { run, sent } = scene();
    expect(await run('SELECT tasks')).toBe('passed');
    expect(await run('SELECT tasks', tableTimeout)).toBe('waited');
    sent.length = 0;
    expect([await run('SELECT tasks'), await run('SELECT agents')]).toEqual(['refused', 'passed']);
    expect(sent).toEqual(['SELECT agents']);
  });

  it('probes with one statement at a time whether the table is free, at most once in a quarter of a second', async () => {
    const { run, pass, sent } = scene();
    await run('a', tableTimeout);
    await run('b', tableTimeout);
    pass(1_000);
    const { promise, reject } = Promise.withResolvers<void>();
    const probe = run('a', promise);
    expect([await run('a'), await run('b')]).toEqual(['refused', 'refused']);
    reject(tableTimeout);
    expect(await probe).toBe('waited');
    pass(200);
    expect(await run('b')).toBe('refused');
    pass(100);
    sent.length = 0;
    expect(await run('b', tableTimeout)).toBe('waited');
    expect(sent).toEqual(['b']);
  });

  it('is closed for all texts when one has passed, and reports when it opens and closes', async () => {
    const { run, pass, changes } = scene();
    for (const text of ['a', 'b', 'c']) await run(text, tableTimeout);
    pass(1_000);
    expect(changes).toEqual([true]);
    expect([await run('b'), await run('a'), await run('c')]).toEqual(['passed', 'passed', 'passed']);
    expect(changes).toEqual([true, false]);
  });

  it('is closed for a statement that fails for another reason', async () => {
    const { run, pass } = scene();
    for (const text of ['a', 'b']) await run(text, tableTimeout);
    pass(1_000);
    expect(await run('a', new Error('duplicate key'))).toBe('waited');
    expect([await run('a'), await run('b')]).toEqual(['passed', 'refused']);
  });

  it('stays closed when a row or a name is locked', async () => {
    const { run } = scene();
    await run('SELECT … FOR UPDATE', rowTimeout);
    await run('SELECT pg_advisory_xact_lock(1)', tableTimeout);
    expect([await run('SELECT … FOR UPDATE'), await run('SELECT pg_advisory_xact_lock(1)')]).toEqual([
      'passed',
      'passed',
    ]);
  });
});
