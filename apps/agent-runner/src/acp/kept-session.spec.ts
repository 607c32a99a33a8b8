import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keptSession } from './kept-session.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'kept-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const owner = { agent: 'agent', cwd: '/srv' };
/** As another runner finds it. */
const read = () => keptSession(folder, owner);

describe('the session of a task', () => {
  it('is found by another runner, with what the agent had said when its runner was killed', async () => {
    const kept = read();
    expect([await kept.id(), await kept.last()]).toEqual([undefined, undefined]);
    await kept.use('ses_1');
    expect([await read().id(), await read().last()]).toEqual(['ses_1', '']);
    await Promise.all([kept.keepLast(() => 'Half of it is done.'), kept.keepLast(() => 'too soon')]);
    expect([await read().id(), await read().last()]).toEqual(['ses_1', 'Half of it is done.']);
    await kept.settle(true, 'All of it is done.');
    expect(await read().last()).toBe('All of it is done.');
    expect(readdirSync(folder)).toEqual(['session.json']);
  });

  it('keeps what was said when it cannot be continued, and is not the one of another agent', async () => {
    const kept = read();
    await kept.use('ses_1');
    await kept.settle(true, 'All of it is done.');
    await kept.drop();
    expect([await read().id(), await read().last()]).toEqual([undefined, 'All of it is done.']);
    expect(await keptSession(folder, { ...owner, agent: 'other' }).last()).toBeUndefined();
  });

  it('has cost what was reported of it, over attempts; a new one nothing', async () => {
    const kept = read();
    await kept.use('ses_1');
    await kept.setCostUsd(0.25);
    const next = read();
    await next.id();
    await next.use('ses_1');
    expect(next.costUsd()).toBe(0.25);
    await next.use('ses_2');
    expect(next.costUsd()).toBe(0);
  });
});
