import { useTestDatabase } from '@eas/testing';
import { newId } from '@eas/core';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { brokenConstraint } from '../connection/sql-error.ts';

const test = useTestDatabase();
type Row = Record<string, unknown>;
let tenantId = '';
let strangerId = '';

const at = new Date('2026-11-20T10:00:00Z');
const eventId = newId('event');
/** A valid row of each table without its tenant; it may refer to the rows above it. */
const good = {
  agents: { id: 'agt_1', name: 'Ada', role: 'rd', created_at: at, updated_at: at },
  tasks: { id: 'tsk_1', title: 't', description: 'd', created_at: at, updated_at: at, rank: at },
  task_timeline: { task_id: 'tsk_1', seq: 1, kind: 'created', at, actor: 'system', data: {} },
  leases: { id: 'lse_1', task_id: 'tsk_1', agent_id: 'agt_1', fencing_token: 1, started_at: at, expires_at: at },
  api_keys: { id: 'key_1', name: 'k', hash: Buffer.from('hash'), prefix: 'eas_', last_four: 'abcd' },
  integrations: { id: 'int_1', type: 'taskplatform', webhook_id: 'w1', connected_at: at, updated_at: at },
  inbound_events: {
    id: 'inb_1',
    source: 'taskplatform',
    integration_ref: 'int_1',
    event: 'taskUpdated',
    dedupe_key: 'd1',
    body: '{}',
    received_at: at,
  },
  task_links: { integration_ref: 'int_1', external_id: 'x1', task_id: 'tsk_1', created_at: at },
  pull_requests: { integration_ref: 'int_1', repository: 'acme/web', number: 7, task_id: 'tsk_1', created_at: at },
  pull_request_stages: {
    integration_ref: 'int_1',
    repository: 'acme/web',
    number: 7,
    stage: 'opened',
    at,
    data: {},
  },
  artifacts: { id: 'art_1', task_id: 'tsk_1', kind: 'pull_request', url: 'https://x.test/7', created_at: at },
  endpoints: { id: 'whk_1', url: 'https://x.test', secret: 's', created_at: at, updated_at: at },
  events: { event_id: eventId, event_type: 'pr.opened', occurred_at: at, data: {} },
  outbox: { event_id: eventId, consumer: 'event.fan_out' },
  deliveries: { event_id: eventId, endpoint_id: 'whk_1', id: 'dlv_1', next_attempt_at: at, created_at: at },
  attempts: {
    event_id: eventId,
    endpoint_id: 'whk_1',
    number: 1,
    started_at: at,
    duration_ms: 1,
    outcome: 'delivered',
  },
  replays: {
    id: 'rpl_1',
    endpoint_id: 'whk_1',
    filter: {},
    max_per_second: 10,
    total: 1,
    next_run_at: at,
    created_by: 'key_1',
    created_at: at,
    updated_at: at,
  },
  inbound_replays: {
    id: 'rpl_1',
    filter: {},
    max_per_second: 10,
    total: 1,
    next_run_at: at,
    created_by: 'key_1',
    created_at: at,
    updated_at: at,
  },
  event_numbers: { number: 1, event_id: eventId },
  analytics_task_facts: { task_id: 'tsk_1', version: 1, role: 'rd', status: 'created', created_at: at },
} satisfies Record<string, Row>;
type Table = keyof typeof good;

/**
 * Inserts the table's valid row with changes. Returns the constraint that it broke, or undefined when it was accepted.
 */
async function insert(table: Table, changes: Row = {}): Promise<string | undefined> {
  const row: Row = { tenant_id: tenantId, ...good[table], ...changes };
  const names = Object.keys(row);
  const slots = names.map((_, index) => `$${index + 1}`);
  try {
    await test.database.db.query(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${slots.join(', ')})`,
      Object.values(row),
    );
    return undefined;
  } catch (error) {
    const constraint = brokenConstraint(error);
    if (constraint === undefined) throw error;
    // A partition's copy of a constraint has a name of its own.
    return constraint.replace(/(events|deliveries|attempts)_(\d{4}_\d{2}|default)/, '$1');
  }
}

beforeAll(async () => {
  tenantId = await test.createTenant();
  strangerId = await test.createTenant();
  for (const table of Object.keys(good) as Table[]) expect([table, await insert(table)]).toEqual([table, undefined]);
});

const other = { id: 'other_1' };
const live = { status: 'in_progress', lease_id: 'lse_9' };

describe('the database refuses', () => {
  it.each<[string, Table, Row, string]>([
    ['work in progress without a lease', 'tasks', { ...other, status: 'in_progress' }, 'tasks_lease_check'],
    ['a lease on a task that is not in progress', 'tasks', { ...other, lease_id: 'lse_9' }, 'tasks_lease_check'],
    ['a completed task without its moment', 'tasks', { ...other, status: 'completed' }, 'tasks_completed_check'],
    ['a moment of completion on an open task', 'tasks', { ...other, completed_at: at }, 'tasks_completed_check'],
    ['an unknown status', 'tasks', { ...other, status: 'done' }, 'tasks_status_check'],
    ['an unknown priority', 'tasks', { ...other, priority: 'p1' }, 'tasks_priority_check'],
    ['more than 100 percent', 'tasks', { ...other, percent_complete: 101 }, 'tasks_percent_complete_check'],
    ['a pinned task without its agent', 'tasks', { ...other, is_pinned: true }, 'tasks_pinned_check'],
    [
      'an agent for no task at a time',
      'agents',
      { ...other, max_concurrent_tasks: 0 },
      'agents_max_concurrent_tasks_check',
    ],
    ['an agent with fewer than no leases', 'agents', { ...other, active_leases: -1 }, 'agents_active_leases_check'],
    ['an ended lease without a reason', 'leases', { ...other, ended_at: at }, 'leases_ended_check'],
    ['a reason without an end', 'leases', { ...other, end_reason: 'expired' }, 'leases_ended_check'],
    ['a pull request twice', 'pull_requests', {}, 'pull_requests_pkey'],
    ['an unknown state of a pull request', 'pull_requests', { number: 8, state: 'draft' }, 'pull_requests_known_check'],
    [
      'a state of a pull request without what is known of it',
      'pull_requests',
      { number: 8, state: 'open', dated_at: at },
      'pull_requests_known_check',
    ],
    ['a stage of a pull request twice', 'pull_request_stages', {}, 'pull_request_stages_pkey'],
    [
      'a stage of a pull request that is not there',
      'pull_request_stages',
      { number: 8 },
      'pull_request_stages_pull_request_fkey',
    ],
    ['a pull request as an artifact twice', 'artifacts', other, 'artifacts_linked_key'],
    ['an artifact of a lease without its agent', 'artifacts', { ...other, lease_id: 'lse_1' }, 'artifacts_agent_check'],
    ['an unknown tier', 'api_keys', { ...other, hash: Buffer.from('h2'), tier: 'gold' }, 'api_keys_tier_check'],
    [
      'an unknown status of an integration',
      'integrations',
      { ...other, webhook_id: 'w2', status: 'on' },
      'integrations_status_check',
    ],
    [
      'a previous secret of an integration without an end',
      'integrations',
      { ...other, webhook_id: 'w2', previous_secret: 's' },
      'integrations_previous_secret_check',
    ],
    [
      'an error of an integration without a reason',
      'integrations',
      { ...other, webhook_id: 'w2', last_error_at: at },
      'integrations_last_error_check',
    ],
    [
      'an unknown status of a receipt',
      'inbound_events',
      { ...other, dedupe_key: null, status: 'x' },
      'inbound_events_status_check',
    ],
    ['an unknown status of an endpoint', 'endpoints', { ...other, status: 'on' }, 'endpoints_status_check'],
    ['an unknown ordering', 'endpoints', { ...other, ordering: 'x' }, 'endpoints_ordering_check'],
    ['a rate cap of nothing', 'endpoints', { ...other, max_per_second: 0 }, 'endpoints_max_per_second_check'],
    [
      'a previous secret without an end',
      'endpoints',
      { ...other, previous_secret: 's' },
      'endpoints_previous_secret_check',
    ],
    ['a probe of an endpoint that is not paused', 'endpoints', { ...other, probe_at: at }, 'endpoints_probe_check'],
    [
      'an unknown status of a replay',
      'replays',
      { ...other, status: 'x', next_run_at: null, finished_at: at },
      'replays_status_check',
    ],
    ['a replay that runs and never will', 'replays', { ...other, next_run_at: null }, 'replays_running_check'],
    ['a replay that runs and has ended', 'replays', { ...other, finished_at: at }, 'replays_finished_check'],
    [
      'an unknown status of a replay of receipts',
      'inbound_replays',
      { ...other, status: 'x', next_run_at: null, finished_at: at },
      'inbound_replays_status_check',
    ],
    [
      'a replay of receipts that runs and never will',
      'inbound_replays',
      { ...other, next_run_at: null },
      'inbound_replays_running_check',
    ],
    [
      'a replay of receipts that runs and has ended',
      'inbound_replays',
      { ...other, finished_at: at },
      'inbound_replays_finished_check',
    ],
    [
      'a pending delivery without its next attempt',
      'deliveries',
      { endpoint_id: 'whk_2', next_attempt_at: null },
      'deliveries_pending_check',
    ],
    [
      'a settled delivery with a next attempt',
      'deliveries',
      { endpoint_id: 'whk_2', status: 'dead' },
      'deliveries_pending_check',
    ],
    [
      'an unknown status of a delivery',
      'deliveries',
      { endpoint_id: 'whk_2', status: 'x', next_attempt_at: null },
      'deliveries_status_check',
    ],
  ])('%s', async (_, table, changes, constraint) => expect(await insert(table, changes)).toBe(constraint));

  it.each<[string, Table, Row, string]>([
    ['two live leases of a task', 'leases', other, 'leases_live_key'],
    ['two running replays of receipts', 'inbound_replays', other, 'inbound_replays_running_key'],
    ['an API key of the same hash, in any tenant', 'api_keys', other, 'api_keys_hash_key'],
    ['two integrations of a type with one webhook_id', 'integrations', other, 'integrations_webhook_id_key'],
    ['a receipt that came before', 'inbound_events', other, 'inbound_events_tenant_id_integration_ref_dedupe_key_key'],
    ['a second link of an external task', 'task_links', {}, 'task_links_pkey'],
    ['two entries of a timeline at one position', 'task_timeline', {}, 'task_timeline_pkey'],
    ['an event twice', 'events', {}, 'events_pkey'],
    ['two outbox rows of an event for a consumer', 'outbox', {}, 'outbox_pkey'],
    ['two deliveries of an event to an endpoint', 'deliveries', { id: 'dlv_2' }, 'deliveries_pkey'],
    ['two attempts of a number', 'attempts', {}, 'attempts_pkey'],
    ['two numbers for an event', 'event_numbers', { number: 2 }, 'event_numbers_tenant_id_event_id_key'],
    ['a number twice', 'event_numbers', { event_id: 'evt_2' }, 'event_numbers_pkey'],
    ['facts of a task twice', 'analytics_task_facts', {}, 'analytics_task_facts_pkey'],
  ])('%s', async (_, table, changes, constraint) => expect(await insert(table, changes)).toBe(constraint));

  it.each<[string, Table, Row, string]>([
    ['an agent of no tenant', 'agents', { tenant_id: 'tnt_none' }, 'agents_tenant_id_fkey'],
    ['a task for an unknown agent', 'tasks', { ...other, assigned_agent: 'x' }, 'tasks_tenant_id_assigned_agent_fkey'],
    ['a timeline without its task', 'task_timeline', { task_id: 'x' }, 'task_timeline_tenant_id_task_id_fkey'],
    ['a lease of an unknown task', 'leases', { ...other, task_id: 'x' }, 'leases_tenant_id_task_id_fkey'],
    [
      'a lease of an unknown agent',
      'leases',
      { ...other, agent_id: 'x', ended_at: at, end_reason: 'expired' },
      'leases_tenant_id_agent_id_fkey',
    ],
    [
      'a key of an unknown agent',
      'api_keys',
      { ...other, hash: Buffer.from('h3'), agent_id: 'x' },
      'api_keys_tenant_id_agent_id_fkey',
    ],
    [
      'a link to an unknown task',
      'task_links',
      { external_id: 'x2', task_id: 'x' },
      'task_links_tenant_id_task_id_fkey',
    ],
    [
      'a replay to an unknown endpoint',
      'replays',
      { ...other, endpoint_id: 'x' },
      'replays_tenant_id_endpoint_id_fkey',
    ],
  ])('%s', async (_, table, changes, constraint) => expect(await insert(table, changes)).toBe(constraint));

  it('a task for an agent of another tenant', async () => {
    const foreign = { ...other, tenant_id: strangerId, assigned_agent: good.agents.id };
    expect(await insert('tasks', foreign)).toBe('tasks_tenant_id_assigned_agent_fkey');
  });
});

describe('the database accepts', () => {
  it('a live lease together with any number of ended ones', async () => {
    const ended = { ended_at: at, end_reason: 'expired' };
    expect(await insert('leases', { id: 'lse_2', ...ended })).toBeUndefined();
    expect(await insert('leases', { id: 'lse_3', ...ended })).toBeUndefined();
  });

  it('the same ids in another tenant', async () => {
    expect(await insert('agents', { tenant_id: strangerId })).toBeUndefined();
    expect(await insert('tasks', { tenant_id: strangerId, ...live })).toBeUndefined();
  });

  it('any number of receipts without a key, and a webhook_id that is free again', async () => {
    for (const id of ['inb_2', 'inb_3'])
      expect(await insert('inbound_events', { id, dedupe_key: null })).toBeUndefined();
    expect(await insert('integrations', { id: 'int_2', webhook_id: 'w1', deleted_at: at })).toBeUndefined();
  });
});

describe('brokenConstraint', () => {
  it('names only constraints', async () => {
    const error = await test.database.db.query('SELECT 1 / 0').catch((thrown: unknown) => thrown);
    expect(brokenConstraint(error)).toBeUndefined();
    expect(brokenConstraint(new Error('no'))).toBeUndefined();
    expect(brokenConstraint('text')).toBeUndefined();
  });
});
