import type { Logger } from '@eas/core';
import { createIntegration, getIntegration } from '@eas/integrations';
import { sourceHostOf } from '@eas/source-host';
import { type QueueWorker, type Relay, startRelay, startWorker } from '@eas/queue';
import { createMetrics, type Loop, type ProcessParts } from '@eas/runtime';
import {
  attachArtifact,
  completeTask,
  createAgent,
  createProject,
  createTask,
  createWaitingClaims,
  getTask,
  waitForClaim,
} from '@eas/tasks';
import { eventually, ignoredSightings, silentLogger, useTestDatabase } from '@eas/testing';
import { type SourceHost, startSourceHost } from '@eas/testing/source-host';
import { useQueues } from '@eas/testing/queues';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Config } from '../src/config.ts';
import { workflowHandlers } from '../src/handlers.ts';
import { startPlatformCalls } from '../src/platform-calls.ts';

const test = useTestDatabase();
const q = useQueues(test);
const token = 'ghp_a_token_that_nobody_may_read';
const lines: string[] = [];
const log = (...args: unknown[]) => void lines.push(JSON.stringify(args));
const logger = { ...silentLogger, info: log, warn: log, error: log } as Logger;
const metrics = createMetrics({ withDefaults: false });
const closing = new AbortController();

let host: SourceHost;
let worker: QueueWorker;
let relay: Relay;
let loop: Loop;
const atEnd: (() => unknown)[] = [];

beforeAll(async () => {
  host = await startSourceHost();
  const { database } = test;
  const makeContext = ({ tenantId, signal }: { tenantId: string; signal: AbortSignal }) =>
    test.context({ tenantId, signal });
  const handlers = workflowHandlers({ sourceHost: sourceHostOf(host.url) });
  worker = await startWorker(q.queues, 'workflow', handlers, { makeContext, concurrency: 4, logger: silentLogger });
  relay = startRelay({ database, queues: q.queues, logger: silentLogger });
  const apis = { apiUrl: 'https://platform.invalid', sourceHostApiUrl: host.url };
  const config = { platform: { ...apis, allowedCidrs: ['127.0.0.0/8'] } };
  const onShutdown = (_name: string, step: () => unknown) => void atEnd.push(step);
  const parts = { config, logger, metrics, onShutdown } as unknown as ProcessParts<Config>;
  loop = startPlatformCalls(database, (tenantId) => ({ ...test.context({ tenantId }), logger }), parts);
});
beforeEach(() => host.reset());
afterAll(async () => {
  await loop?.stop();
  for (const step of atEnd) await step();
  await relay?.stop();
  await worker?.drain(5_000);
  await host?.close();
});

/** A task of a new tenant, completed by its agent with a branch that was pushed to the host. */
async function completed(its = token) {
  const tenantId = await test.createTenant();
  const ctx = test.context({ tenantId });
  const connected = { type: 'github', org_name: 'acme', secret: `a secret of ${tenantId}`, token: its } as const;
  const { id } = (await createIntegration(ctx, connected)).integration;
  const url = `${host.url}/acme/web.git`;
  const repositories = [{ url, base_branch: 'main', setup: null, copy_files: [], checks: [] }];
  const rules = { vetUrl: () => ({ isAllowed: true }) as const };
  const body = { name: 'Web', description: null, repositories, defaults: {}, max_rework_rounds: 3 };
  const project = (await createProject(ctx, body, rules)).body.id;
  const agentId = (await createAgent(ctx, { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 1 })).id;
  const asAgent = test.context({ tenantId, actor: { id: agentId, agentId } });
  const draft = { title: 'Limit logins', description: 'Five.', priority: 'medium', due_date: null } as const;
  const assigned = { assigned_role: 'rd', assigned_agent: null, project, tags: [], metadata: {} };
  const taskId = (await createTask(ctx, { ...draft, ...assigned })).id;
  // The task is being planned at the same time.
  const waitingClaims = createWaitingClaims(test.database.listener, closing.signal, ignoredSightings);
  const claim = await waitForClaim(asAgent, waitingClaims, { agentId, waitMs: 20_000 });
  const { lease_id: leaseId = '', fencing_token = 0 } = claim?.body.lease ?? {};
  const branch = `task/${taskId}`;
  const artifact = {
    kind: 'branch' as const,
    title: branch,
    sha: 'abc',
    data: { repository: url, branch, pushed: true },
  };
  await attachArtifact(asAgent, { leaseId, body: { fencing_token, ...artifact } });
  await completeTask(asAgent, { leaseId, body: { fencing_token, summary: 'Five a minute.' } });
  const pullRequests = async () =>
    (await getTask(ctx, taskId)).body.artifacts.filter(({ kind }) => kind === 'pull_request').map((one) => one.url);
  const view = async () => (await getIntegration(ctx, id)).integration;
  return { taskId, pullRequests, view };
}

describe('the pushed branch of a task', () => {
  it('gets a pull request on the source host, which the task shows', async () => {
    const { taskId, pullRequests } = await completed();
    await eventually(async () => (await pullRequests()).length > 0);
    expect(await pullRequests()).toEqual([`${host.url}/acme/web/pull/1`]);
    expect(host.pullRequests).toMatchObject([{ head: { ref: `task/${taskId}` }, base: 'main', title: 'Limit logins' }]);
    // Counted after it is written.
    const counted = /eas_platform_calls_total\{kind="pull_request",outcome="done"\} [1-9]/;
    await eventually(async () => counted.test(await metrics.registry.metrics()));
  });

  it('gets none by a token that is refused: the integration shows why, and no log line has the token', async () => {
    host.respondWith(({ headers }) =>
      headers.authorization === `Bearer ${token}`
        ? { status: 401, body: { message: `Bad credentials ${token}` } }
        : undefined,
    );
    const { view } = await completed();
    const reason = 'Bad credentials …. Give the integration a token';
    await eventually(async () => (await view()).status_reason?.includes(reason) ?? false);
    expect((await view()).status).toBe('degraded');
    expect(lines.join('\n')).toContain('platform call put off');
    expect(lines.join('\n')).not.toContain(token);
  });
});
