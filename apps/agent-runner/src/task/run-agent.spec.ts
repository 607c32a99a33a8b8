import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@eas/testing/eventually';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ApiResponse, Call } from '../api/api.ts';
import { type AgentParts, runAgent } from './run-agent.ts';

let workspace = '';
beforeEach(() => void (workspace = mkdtempSync(join(tmpdir(), 'runs-'))));
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const lost = {
  code: 'conflict',
  message: 'Lost.',
  details: { constraint: 'lease_lost' },
  request_id: 'req_1',
} as const;
const responseOf = (status: number, error?: ApiResponse['error']): ApiResponse => ({
  status,
  body: undefined,
  error,
  dateMs: Date.now(),
  sentAtMs: performance.now(),
  cameAtMs: performance.now(),
});

it('a runner resumes what a runner of the agent on another host has left, once its lock is over', async () => {
  const folder = join(workspace, 'tsk_1');
  mkdirSync(folder);
  const held = { agentId: 'agt_1', leaseId: 'lse_1', fencingToken: 3, resumed: 0 };
  writeFileSync(join(folder, 'lease.json'), JSON.stringify(held));
  writeFileSync(join(folder, 'lease.lock'), JSON.stringify({ host: 'another', pid: 1, id: 'other' }));
  const stopping = new AbortController();
  const resumed: string[] = [];
  /** Claims wait for as long as the runner does. */
  const api = async ({ path }: Call, signal: AbortSignal) => {
    if (path.endsWith('/resume')) {
      resumed.push(path);
      return responseOf(409, lost);
    }
    await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
    return responseOf(204);
  };
  const parts = { api, log: () => {}, workspace, agentId: 'agt_1', projects: [], concurrency: 1, checkMs: 10 };
  const running = runAgent({
    ...parts,
    onRunning: () => {},
    stopping: stopping.signal,
  } as Partial<AgentParts> as AgentParts);
  const longAgo = new Date(Date.now() - 61_000);
  utimesSync(join(folder, 'lease.lock'), longAgo, longAgo);
  await eventually(() => resumed.includes('/v1/leases/lse_1/resume'));
  stopping.abort();
  await running;
  // It was lost, so it is not resumed again.
  expect(existsSync(join(folder, 'lease.json'))).toBe(false);
});
