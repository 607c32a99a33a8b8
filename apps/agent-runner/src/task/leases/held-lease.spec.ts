import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiResponse, Call } from '../../api/api.ts';
import { openTaskFolder } from '../task-folder.ts';
import { findLeftLeases, holdLease, isResumedTooOften, resumeOf } from './held-lease.ts';
import { resumeLease } from './resume-lease.ts';

let workspace = '';
beforeEach(() => void (workspace = mkdtempSync(join(tmpdir(), 'held-'))));
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const held = { agentId: 'agt_1', leaseId: 'lse_1', fencingToken: 3, resumed: 0 };
const fileOf = (taskId: string) => join(workspace, taskId, 'lease.json');

/** What a killed process leaves: its lock has the number of no process. */
function leave(taskId: string, more: Partial<typeof held> = {}): void {
  mkdirSync(join(workspace, taskId));
  writeFileSync(fileOf(taskId), JSON.stringify({ ...held, ...more }));
  const owner = { host: hostname(), pid: 2 ** 30, id: 'gone' };
  writeFileSync(join(workspace, taskId, 'lease.lock'), JSON.stringify(owner));
}
const found = async () => (await findLeftLeases(workspace, 'agt_1')).map(({ taskId }) => taskId);

describe('leases on the disk', () => {
  it('are those of the agent that no process holds', async () => {
    leave('tsk_1');
    leave('tsk_2', { agentId: 'agt_2' });
    mkdirSync(join(workspace, 'tsk_4'));
    writeFileSync(fileOf('tsk_4'), '{');
    await holdLease(await openTaskFolder(workspace, 'tsk_5'), held);
    expect(await found()).toEqual(['tsk_1']);
    // They are held by the runner that found them.
    expect(await found()).toEqual([]);
  });

  it('go when the work is over, and stay while a person is asked', async () => {
    const folder = await openTaskFolder(workspace, 'tsk_1');
    await (await holdLease(folder, held)).end(false);
    const [left] = await findLeftLeases(workspace, 'agt_1');
    expect(left?.held).toEqual(held);
    await left?.release();
    await (await holdLease(folder, held)).end(true);
    expect(existsSync(fileOf('tsk_1'))).toBe(false);
  });

  it('count their resumes from the last question on', async () => {
    const folder = await openTaskFolder(workspace, 'tsk_1');
    const asking = await holdLease(folder, { ...held, resumed: 5 });
    await asking.asks();
    await asking.end(false);
    const [left] = await findLeftLeases(workspace, 'agt_1');
    expect(left?.held.resumed).toBe(0);
  });

  it('are forgotten for good', async () => {
    leave('tsk_1');
    const [left] = await findLeftLeases(workspace, 'agt_1');
    await left?.forget();
    await left?.release();
    expect(await found()).toEqual([]);
  });
});

describe('resumes of a lease', () => {
  const answer = (id: string) => ({ kind: 'answer', id });
  const resumed = (more: object, directives: { kind: string; id: string }[] = [], hasWaited = false) =>
    resumeOf({ held: { ...held, resumed: 5, ...more }, hasWaited }, directives);

  it('are counted, and the sixth is one too many', () => {
    expect(resumeOf(undefined, [])).toEqual({ resumed: 0 });
    expect([resumed({}), resumed({ resumed: 4 })]).toEqual([{ resumed: 6 }, { resumed: 5 }]);
    expect([6, 5].map((count) => isResumedTooOften({ resumed: count }))).toEqual([true, false]);
  });

  it('are counted from zero after an answer, also where the runner was killed as its agent asked, and once for each', () => {
    expect(resumed({}, [], true)).toEqual({ resumed: 1 });
    expect(resumed({}, [{ kind: 'message', id: 'dir_0' }, answer('dir_1')])).toEqual({ resumed: 1, answer: 'dir_1' });
    expect(resumed({ answer: 'dir_1' }, [answer('dir_1')])).toEqual({ resumed: 6, answer: 'dir_1' });
    expect(resumed({ answer: 'dir_1' }, [answer('dir_2')])).toEqual({ resumed: 1, answer: 'dir_2' });
    expect(resumed({ answer: 'dir_1' })).toEqual({ resumed: 6, answer: 'dir_1' });
  });
});

describe('resuming one', () => {
  const refused = (constraint: string): ApiResponse => ({
    ...granted,
    status: 409,
    error: { code: 'conflict', message: 'no', details: { field: 'f', constraint } as never, request_id: 'r' },
  });
  const granted: ApiResponse = { status: 200, body: {}, error: undefined, sentAtMs: 0, cameAtMs: 0, dateMs: 0 };
  async function resume(respond: (token: number) => ApiResponse) {
    const tokens: number[] = [];
    const api = async ({ body }: Call) => {
      const { fencing_token: token } = body as { fencing_token: number };
      tokens.push(token);
      return respond(token);
    };
    const parts = { api, log: () => {}, stopping: new AbortController().signal };
    const resumed = await resumeLease(parts, {
      taskId: 'tsk_1',
      held,
      forget: async () => {},
      release: async () => {},
    });
    return { resumed, tokens };
  }

  it('tries the tokens of resumes whose response was not written down', async () => {
    const { resumed, tokens } = await resume((token) => (token < 5 ? refused('lease_lost') : granted));
    expect([resumed?.response, tokens]).toEqual([granted, [3, 4, 5]]);
  });

  it('gives up one that is lost', async () => {
    const { resumed, tokens } = await resume(() => refused('lease_lost'));
    expect([resumed, tokens]).toEqual([undefined, [3, 4, 5, 6, 7, 8]]);
  });

  it('waits for the answer and a slot', async () => {
    const refusals = ['state', 'limit'];
    const { resumed, tokens } = await resume(() => {
      const constraint = refusals.shift();
      return constraint === undefined ? granted : refused(constraint);
    });
    expect([resumed?.hasWaited, tokens]).toEqual([true, [3, 3, 3]]);
  });
});
