import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CodingAgent, maxLocalRunners, type SupervisorCall } from '@eas/contracts';
import { eventually } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAgentFinder } from './find-agents.ts';
import { createCallHandler } from './handle-call.ts';
import { createLocalRunners, type LocalRunners } from './local-runners.ts';
import { openRunnerFolder } from './runner-folder.ts';

const easFile = join(import.meta.dirname, '../../test/stand-in.eas.ts');
let dataDir = '';
let runners: LocalRunners;
let handle: ReturnType<typeof createCallHandler>;

function supervise(): void {
  const env = { PATH: process.env['PATH'] };
  const logFileOf = (name: string) => join(dataDir, `${name}.log`);
  runners = createLocalRunners({
    url: 'http://127.0.0.1:1',
    easFile,
    cwd: dataDir,
    env,
    folder: openRunnerFolder(dataDir, () => {}),
    logFiles: { fileOf: logFileOf, remove: (name) => rmSync(logFileOf(name), { force: true }) },
    onDeath: () => {},
  });
  handle = createCallHandler({ runners, finder: createAgentFinder({ easFile, env, onProblem: () => {} }) });
}

const start = (preset: CodingAgent, agentId = 'agt_1'): SupervisorCall => ({
  call: 'start',
  runner: { agent_id: agentId, key_id: 'key_1', name: 'Ada', preset, role: 'rd', concurrency: 2 },
  api_key: 'eas_live_secret',
});
const until = (state: string) => eventually(() => runners.show().every((one) => one.state === state), 60_000);
const fileOf = (name: string) => join(dataDir, 'runners', 'agt_1', name);
const pidOf = (): number => JSON.parse(readFileSync(fileOf('seen.json'), 'utf8')).pid;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'local-runners-'));
  supervise();
});
afterEach(async () => {
  await runners.stop(1_000);
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a runner on this machine', () => {
  it('is kept running with a key that only its user can read', async () => {
    const { key_id: keyId } = await handle(start('gemini'));
    expect(keyId).toBe('key_1');
    await until('running');
    expect(runners.show()).toMatchObject([{ agent_id: 'agt_1', role: 'rd', concurrency: 2, problem: null }]);
    expect(JSON.stringify(runners.show())).not.toMatch(/key_1|eas_live_secret/);
    expect(readFileSync(fileOf('key'), 'utf8')).toBe('eas_live_secret\n');
    expect([fileOf('key'), fileOf('runner.json')].map((file) => statSync(file).mode & 0o077)).toEqual([0, 0]);
  });

  it('is back after kill -9', async () => {
    await handle(start('gemini'));
    await until('running');
    const first = pidOf();
    process.kill(first, 'SIGKILL');
    await eventually(() => pidOf() !== first, 60_000);
    await until('running');
  });

  it('is back when the supervisor is', async () => {
    await handle(start('gemini'));
    await until('running');
    const first = pidOf();
    await runners.stop(1_000);
    supervise();
    runners.startKept();
    await until('running');
    expect(pidOf()).not.toBe(first);
  });

  it('that reports what is missing has failed with that line, and is retried on request', async () => {
    await handle(start('qwen'));
    await until('failed');
    expect(runners.show()).toMatchObject([
      { problem: 'QWEN: It is not logged in.', log: ['looking for it', 'QWEN: It is not logged in.'] },
    ]);
    const first = pidOf();
    await handle({ call: 'retry', agent_id: 'agt_1' });
    await eventually(() => pidOf() !== first, 60_000);
    await until('failed');
  });

  it('is stopped, then forgotten with its key and its log', async () => {
    await handle(start('gemini'));
    await until('running');
    const { state } = await handle({ call: 'stop', agent_id: 'agt_1' });
    expect(state.runners).toMatchObject([{ state: 'stopped' }]);
    await handle({ call: 'remove', agent_id: 'agt_1' });
    expect([runners.show(), existsSync(fileOf('key')), existsSync(join(dataDir, 'runner-agt_1.log'))]).toEqual([
      [],
      false,
      false,
    ]);
  });
});

describe('a call that is refused', () => {
  it.each([
    ['one that is not installed', { call: 'check', preset: 'codex' } as const, 'conflict', 'CODEX is not installed.'],
    ['an unknown runner', { call: 'stop', agent_id: 'agt_1' } as const, 'not_found', 'No runner of this agent'],
  ])('for %s changes nothing', async (_, call, code, message) => {
    await expect(handle(call)).rejects.toMatchObject({
      refusal: { code, message: expect.stringContaining(message) },
    });
    expect([runners.show(), existsSync(fileOf('key'))]).toEqual([[], false]);
  });

  it('is a runner beyond the limit of the machine', async () => {
    const folder = openRunnerFolder(dataDir, () => {});
    for (let count = 0; count <= maxLocalRunners; count += 1) {
      const { runner } = start('qwen', `agt_${count}`) as Extract<SupervisorCall, { call: 'start' }>;
      folder.write(runner, 'k');
    }
    runners.startKept();
    expect(runners.show()).toHaveLength(maxLocalRunners);
    await expect(handle(start('gemini', 'agt_x'))).rejects.toMatchObject({ refusal: { constraint: 'limit' } });
    await until('failed');
  });
});

it('coding agents are listed at once, and with their versions when these are known', async () => {
  const { state } = await handle({ call: 'list' });
  expect([state.checking, state.agents.map(({ found, version }) => [found, version])]).toEqual([
    true,
    [
      [true, null],
      [true, null],
      [false, null],
    ],
  ]);
  await eventually(async () => !(await handle({ call: 'list' })).state.checking, 60_000);
  expect((await handle({ call: 'list' })).state.agents[0]).toMatchObject({ version: '1.2.3' });
});
