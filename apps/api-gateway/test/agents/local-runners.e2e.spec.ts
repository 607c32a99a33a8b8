import type { FoundAgent, SupervisorCall } from '@eas/contracts';
import { AppError } from '@eas/core';
import { eventually } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Supervisor } from '../../src/supervisor/supervisor.ts';
import { baseUrl, expectError, type Json, useGateway } from '../gateway.ts';

const path = '/v1/local-runners';
const agents: FoundAgent[] = [
  { preset: 'claude', title: 'Claude Code', found: true, path: '/bin/claude', version: null, problem: null },
];
let calls: SupervisorCall[] = [];
/** The call that fails, and how. */
let failing: { call: string; error: AppError } | undefined;

const supervisor: Supervisor = {
  async call(call) {
    calls.push(call);
    if (failing?.call === call.call) throw failing.error;
    const runners = calls.flatMap((one) => {
      if (one.call !== 'start') return [];
      const { key_id: _keyId, ...runner } = one.runner;
      return [{ ...runner, state: 'starting' as const, since: '2026-11-20T10:00:00Z', problem: null, log: [] }];
    });
    const started = calls.find((one) => one.call === 'start');
    return { state: { checking: false, agents, runners }, ...(started ? { key_id: started.runner.key_id } : {}) };
  },
};
const gateway = useGateway({ supervisor });
const body = { preset: 'claude', role: 'rd', concurrency: 2 };
const keyOf = (call: SupervisorCall | undefined): string => (call?.call === 'start' ? call.api_key : '');
const agentCount = async (): Promise<number> => (await gateway.get('/v1/agents')).body.metadata.total;
/** A gateway notices a revoked key a moment later. */
const untilRefused = (key: string) =>
  eventually(async () => (await gateway.get('/v1/agents/me', { key })).status === 401);

beforeEach(() => {
  [calls, failing] = [[], undefined];
});

describe('a runner on the machine of the service', () => {
  it('gets an agent and a key of its own, which is revoked when it is stopped', async () => {
    const { status, body: runner, headers } = await gateway.post(path, body);
    expect([status, headers.get('location')]).toEqual([201, `${baseUrl}/v1/agents/${runner.agent_id}`]);
    expect(runner).toMatchObject({ name: 'Claude Code', preset: 'claude', role: 'rd', state: 'starting' });
    const agent = (await gateway.get(`/v1/agents/${runner.agent_id}`)).body;
    expect(agent).toMatchObject({ capabilities: ['claude'], max_concurrent_tasks: 2 });
    const key = keyOf(calls[1]);
    expect((await gateway.get('/v1/agents/me', { key })).body.id).toBe(runner.agent_id);
    expect((await gateway.get(path)).body).toMatchObject({ available: true, agents, runners: [runner] });
    expect((await gateway.post(path, body)).body.name).toBe('Claude Code 2');
    calls = calls.slice(0, 2);
    expect((await gateway.send('DELETE', `${path}/${runner.agent_id}`)).status).toBe(204);
    expect(calls.slice(-2).map(({ call }) => call)).toEqual(['stop', 'remove']);
    await untilRefused(key);
    const audit = (await gateway.get('/admin/api/audit')).body.data.map(({ action }: Json) => action);
    expect(audit).toEqual(expect.arrayContaining(['local_runner.started', 'local_runner.stopped']));
  });

  it('that the supervisor refuses leaves nothing behind, whenever it does', async () => {
    const before = await agentCount();
    const full = new AppError('conflict', { constraint: 'limit', message: 'No more.' });
    failing = { call: 'check', error: full };
    expectError(await gateway.post(path, body), 409, 'conflict', { field: '', constraint: 'limit' });
    expect([await agentCount(), calls.length]).toEqual([before, 1]);
    failing = { call: 'start', error: new AppError('server_error', { status: 503 }) };
    expectError(await gateway.post(path, body), 503, 'server_error');
    expect(await agentCount()).toBe(before);
    expect(calls.at(-1)).toMatchObject({ call: 'remove' });
    const key = keyOf(calls.find(({ call }) => call === 'start'));
    await untilRefused(key);
  });

  it('is not visible, started or stopped for other tenants or other scopes', async () => {
    const others = [
      { key: await gateway.makeKey(['admin'], { tenantId: await gateway.test.createTenant() }), ofOne: 404 },
      { key: await gateway.makeKey(['agents:read', 'agents:write']), ofOne: 403 },
    ];
    for (const { key, ofOne } of others) {
      expectError(await gateway.get(path, { key }), 403, 'forbidden');
      expectError(await gateway.post(path, body, { key }), 403, 'forbidden');
      expect((await gateway.post(`${path}/agt_1/retry`, undefined, { key })).status).toBe(ofOne);
      expect((await gateway.send('DELETE', `${path}/agt_1`, undefined, { key })).status).toBe(ofOne);
    }
    expect(calls).toEqual([]);
  });

  it.each([
    [{ ...body, preset: 'sh -c "rm"' }, 'preset'],
    [{ ...body, role: 'a b' }, 'role'],
    [{ ...body, concurrency: 0 }, 'concurrency'],
  ])('%j is refused before anything is asked', async (wrong, field) => {
    expect((await gateway.post(path, wrong)).body.error.details).toMatchObject({ field });
    expect(calls).toEqual([]);
  });
});

describe('a gateway without a supervisor', () => {
  const alone = useGateway();

  it('reports that runners are not available, and starts none', async () => {
    expect((await alone.get(path)).body).toEqual({ available: false, checking: false, agents: [], runners: [] });
    const refused = await alone.post(path, body);
    expectError(refused, 409, 'conflict', { field: '', constraint: 'state' });
    expect(refused.body.error.message).toContain('LOCAL_RUNNERS=true');
    expect((await alone.get('/v1/agents')).body.metadata.total).toBe(0);
    expectError(await alone.post(`${path}/agt_1/retry`, undefined), 404, 'not_found');
    expectError(await alone.send('DELETE', `${path}/agt_1`), 404, 'not_found');
  });
});
