// Every operation of the document is called the way a client written from it would, and the types need no cast.
import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { api, baseUrl, called, clientWith, done, isProxied, ok, path, refused, until } from './api.ts';
import { testAdministration } from './administration.ts';
import { testAgents } from './agents.ts';
import { testDeliveries } from './deliveries.ts';
import { testProfiles } from './profiles.ts';
import { testPermissions } from './permissions.ts';
import { testBudgets } from './budgets.ts';
import { testProjects } from './projects.ts';
import { testOauth, testReceived } from './received.ts';
import { testLocalRunners, testRunners } from './runners.ts';
import { testWorkflows } from './workflows.ts';

/** Differs from that of an earlier run on the same system. */
const run = randomUUID().slice(0, 8);
const wrong = { skip: isProxied && 'the proxy responds to malformed requests itself' };

describe('tasks', () => {
  let taskId = '';
  before(async () => {
    const task = await ok(
      api.POST('/v1/tasks', {
        params: { header: { 'Idempotency-Key': `contract-${run}` } },
        body: {
          title: 'Add rate limiting',
          description: 'Five tries a minute.',
          priority: 'high',
          due_date: '2027-01-31T10:00:00Z',
          assigned_role: 'rd',
          tags: ['security'],
          metadata: { ticket_id: 'ENG-1', repository: 'web' },
        },
      }),
      201,
    );
    assert.equal(task.status, 'created');
    assert.deepEqual(task.tags, ['security']);
    taskId = task.id;
  });

  it('are listed in the offset style, filtered and sorted', async () => {
    const query = { limit: 5, offset: 0, assigned_role: 'rd', sort: '-created_at' } as const;
    const list = await ok(api.GET('/v1/tasks', { params: { query } }));
    assert.ok('metadata' in list);
    assert.equal(list.metadata.limit, 5);
    assert.equal(list.data[0]?.id, taskId);
  });

  it('are listed in the cursor style', async () => {
    const list = await ok(api.GET('/v1/tasks', { params: { query: { after: '', limit: 1 } } }));
    assert.ok('pagination' in list);
    assert.equal(typeof list.pagination.has_more, 'boolean');
  });

  it('are counted by status', async () => {
    const { by_status: counts } = await ok(api.GET('/v1/tasks/counts'));
    assert.ok(counts.created > 0);
  });

  it('are listed by since when they wait, are overdue or failed', async () => {
    for (const query of [
      { review_by: 'person', sort: 'review_since' },
      { failed_after: '2026-01-01T00:00:00Z', sort: '-failed_at' },
      { is_overdue: 'true', sort: 'due_date' },
    ] as const)
      assert.ok('metadata' in (await ok(api.GET('/v1/tasks', { params: { query } }))));
  });

  it('are read with progress and activity', async () => {
    const task = await ok(api.GET('/v1/tasks/{task_id}', path('task_id', taskId)));
    assert.equal(task.progress.percent_complete, 0);
    assert.deepEqual(task.activity, []);
  });

  it('are changed, commented on, cancelled and tried again', async () => {
    const changed = await ok(
      api.PATCH('/v1/tasks/{task_id}', { ...path('task_id', taskId), body: { priority: 'critical' } }),
    );
    assert.equal(changed.priority, 'critical');
    const comment = { ...path('task_id', taskId), body: { content: 'Half way.' } };
    await ok(api.POST('/v1/tasks/{task_id}/comments', comment), 201);
    const timeline = await ok(api.GET('/v1/tasks/{task_id}/timeline', path('task_id', taskId)));
    assert.ok(timeline.data.some(({ type }) => type === 'comment'));
    await done(api.DELETE('/v1/tasks/{task_id}', path('task_id', taskId)));
    const again = await ok(api.POST('/v1/tasks/{task_id}/retry', path('task_id', taskId)));
    assert.equal(again.status, 'open');
  });

  it('are refused with the documented error', wrong, async () => {
    const { error } = await refused(api.POST('/v1/tasks', { body: { title: 't', description: '' } }), 400);
    assert.deepEqual([error.code, error.details], ['invalid_input', { field: 'description', constraint: 'required' }]);
    const limit = await refused(api.GET('/v1/tasks', { params: { query: { limit: 101 } } }), 400);
    assert.equal(limit.error.code, 'invalid_request');
    // @ts-expect-error a word outside the list does not even compile
    await refused(api.POST('/v1/tasks', { body: { title: 't', description: 'd', priority: 'soon' } }), 400);
  });

  it('that are unknown are 404', async () => {
    const { error } = await refused(api.GET('/v1/tasks/{task_id}', path('task_id', 'tsk_none')), 404);
    assert.equal(error.code, 'not_found');
  });

  it('are 401 without a credential and 403 without the scope', async () => {
    const anonymous = clientWith({});
    if (!isProxied) assert.equal((await refused(anonymous.GET('/v1/tasks'), 401)).error.code, 'unauthorized');
    const made = await ok(api.POST('/admin/api/keys', { body: { name: 'reader', scopes: ['agents:read'] } }), 201);
    const reader = clientWith({ 'X-API-Key': made.key });
    assert.equal((await refused(reader.GET('/v1/tasks'), 403)).error.code, 'forbidden');
    await ok(reader.GET('/v1/agents'));
  });
});

testAgents(run);
testProfiles(run);
testPermissions(run);
testProjects(run);
testBudgets(run);
testRunners(run);
testLocalRunners();
testWorkflows(run);
testDeliveries();
testAdministration(run);
testReceived(run);
testOauth();

describe('the rest of the interface', () => {
  it('integrations are made, listed without metadata, changed and removed', async () => {
    const body = { type: 'github' as const, org_name: 'acme', repositories: ['web'], secret: 'a-secret-of-length' };
    const made = await ok(api.POST('/v1/integrations', { body }), 201);
    const one = path('integration_id', made.id);
    const list = await ok(api.GET('/v1/integrations', { params: { query: { limit: 100 } } }));
    assert.ok(list.data.some(({ id, status }) => id === made.id && status === 'active'));
    assert.equal((await ok(api.GET('/v1/integrations/{integration_id}', one))).org_name, 'acme');
    await ok(api.PATCH('/v1/integrations/{integration_id}', { ...one, body: { repositories: ['web', 'app'] } }));
    const rotated = await ok(api.POST('/v1/integrations/{integration_id}/rotate-secret', { ...one, body: {} }));
    assert.equal((await ok(api.POST('/v1/integrations/{integration_id}/test', one))).is_accepted, true);
    assert.ok(rotated.secret && rotated.previous_secret_until);
    await done(api.DELETE('/v1/integrations/{integration_id}', one));
  });

  it('messages of a chat are listed', async () => {
    const body = {
      type: 'slack' as const,
      workspace_name: 'acme',
      webhook_url: 'https://hooks.example.com/services/T/B/x',
      events: ['workflow.failed' as const],
    };
    const one = path('integration_id', (await ok(api.POST('/v1/integrations', { body }), 201)).id);
    assert.deepEqual((await ok(api.GET('/v1/integrations/{integration_id}/messages', one))).data, []);
    await done(api.DELETE('/v1/integrations/{integration_id}', one));
  });

  it('inbound events are listed and read', async () => {
    const query = { limit: 1, state: 'applied' as const };
    const { data, pagination } = await ok(api.GET('/v1/inbound-events', { params: { query } }));
    assert.equal(pagination.limit, 1);
    const one = path('inbound_event_id', data[0]?.id ?? 'inb_none');
    if (data[0]) assert.equal((await ok(api.GET('/v1/inbound-events/{inbound_event_id}', one))).id, data[0].id);
    else await refused(api.GET('/v1/inbound-events/{inbound_event_id}', one), 404);
  });

  it('inbound events are replayed', async () => {
    const filter = { state: 'failed' as const, external_id: `none-${run}` };
    const preview = await api.POST('/v1/inbound-events/replays', { body: { filter, dry_run: true } });
    assert.equal(preview.response.status, 200);
    const made = await ok(api.POST('/v1/inbound-events/replays', { body: { filter, max_per_second: 1 } }), 201);
    assert.ok('id' in made);
    const replay = path('inbound_replay_id', made.id);
    const one = '/v1/inbound-replays/{inbound_replay_id}';
    await until(async () => (await ok(api.GET(one, replay))).status === 'completed');
    await refused(api.POST('/v1/inbound-replays/{inbound_replay_id}/cancel', replay), 409);
    const nothing = path('inbound_event_id', 'inb_none');
    await refused(api.POST('/v1/inbound-events/{inbound_event_id}/replay', nothing), 404);
  });

  it('a task platform is compared with, and the comparison is cancelled', async () => {
    const body = { type: 'taskplatform' as const, secret: `a secret of ${run} or longer`, token: 'pk_none' };
    const { id } = await ok(api.POST('/v1/integrations', { body }), 201);
    const since = new Date(Date.now() - 60_000).toISOString();
    const begun = { ...path('integration_id', id), body: { since } };
    const made = await ok(api.POST('/v1/integrations/{integration_id}/reconcile', begun), 202);
    const one = path('reconciliation_id', made.id);
    assert.equal((await ok(api.GET('/v1/reconciliations/{reconciliation_id}', one))).integration_id, id);
    assert.equal((await ok(api.POST('/v1/reconciliations/{reconciliation_id}/cancel', one))).status, 'cancelled');
    await done(api.DELETE('/v1/integrations/{integration_id}', path('integration_id', id)));
  });

  it('analytics respond for a period and a role', async () => {
    const metrics = await ok(
      api.GET('/v1/analytics/performance', { params: { query: { period: 'week', role: 'rd' } } }),
    );
    assert.equal(metrics.period, 'week');
    assert.match(metrics.tasks.avg_completion_time, /^\d+(\.\d+)?h$/);
    const series = await ok(api.GET('/v1/analytics/series', { params: { query: { interval: 'hour', role: 'rd' } } }));
    assert.equal(series.points.length, 30);
    const [period, interval] = ['week', 'hour'] as const;
    const table = { params: { query: { period } }, parseAs: 'text' as const };
    assert.match(await ok(api.GET('/v1/analytics/performance.csv', table)), /^role,total,/);
    const points = { params: { query: { interval } }, parseAs: 'text' as const };
    assert.match(await ok(api.GET('/v1/analytics/series.csv', points)), /^at,created,/);
  });

  it('durations respond by role and by agent', async () => {
    const durations = await ok(api.GET('/v1/analytics/durations', { params: { query: { key: 'rd' } } }));
    assert.equal(durations.group_by, 'role');
    assert.equal(durations.points.length, 30);
    const byAgent = { params: { query: { group_by: 'agent' as const } }, parseAs: 'text' as const };
    assert.match(await ok(api.GET('/v1/analytics/durations.csv', byAgent)), /^key,completed,reworked,/);
  });

  it('webhooks are registered with a made secret, listed and read', async () => {
    const body = { url: 'https://example.com/hooks', events: ['task.*' as const, 'pr.opened' as const] };
    const made = await ok(api.POST('/v1/webhooks', { body }), 201);
    assert.match(made.secret ?? '', /^whsec_/);
    assert.ok((await ok(api.GET('/v1/webhooks'))).data.some(({ id }) => id === made.id));
    assert.deepEqual((await ok(api.GET('/v1/webhooks/{webhook_id}', path('webhook_id', made.id)))).events, body.events);
  });

  it('webhooks are changed, tested, switched off and on, and deleted', async () => {
    const body = { url: 'https://example.com/hooks', events: ['task.*' as const], headers: { 'X-Team': 'contract' } };
    const one = path('webhook_id', (await ok(api.POST('/v1/webhooks', { body }), 201)).id);
    const change = { ...one, body: { description: 'Board', headers: { 'X-Team': null }, max_per_second: 10 } };
    const changed = await ok(api.PATCH('/v1/webhooks/{webhook_id}', change));
    assert.deepEqual([changed.description, changed.header_names, changed.max_per_second], ['Board', [], 10]);
    const rotated = await ok(api.POST('/v1/webhooks/{webhook_id}/rotate-secret', { ...one, body: {} }));
    assert.match(rotated.secret ?? '', /^whsec_/);
    const test = { ...one, body: { event_type: 'task.completed' as const } };
    assert.match((await ok(api.POST('/v1/webhooks/{webhook_id}/test', test))).event_id, /^evt_/);
    assert.equal((await ok(api.POST('/v1/webhooks/{webhook_id}/disable', one))).status, 'disabled');
    assert.equal((await ok(api.POST('/v1/webhooks/{webhook_id}/enable', one))).status, 'active');
    await done(api.DELETE('/v1/webhooks/{webhook_id}', one));
    await refused(api.GET('/v1/webhooks/{webhook_id}', one), 404);
  });

  it('events are read again', async () => {
    const { data } = await ok(api.GET('/v1/events', { params: { query: { limit: 1 } } }));
    const [event] = data;
    assert.ok(event);
    await ok(api.GET('/v1/events/{event_id}', path('event_id', event.event_id)));
  });
});

after(async () => {
  const document = (await (await fetch(`${baseUrl}/v1/openapi.json`)).json()) as { paths: Record<string, object> };
  const all = Object.entries(document.paths ?? {}).flatMap(([name, item]) =>
    Object.keys(item).map((method) => `${method} ${name}`),
  );
  if (!isProxied)
    assert.deepEqual(
      [...new Set(all)].filter((name) => !called.has(name)),
      [],
      'operations not called',
    );
});
