import { eventually } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { numberEvents } from '../relay.ts';
import { routes } from '../routes.ts';

const gateway = useGateway();
let ada: Json;
let bo: Json;
let key: string;

const hire = (name: string, over: object = {}): Promise<Json> =>
  gateway.make('/v1/agents', { name, role: 'self', ...over });
const makeTask = (over: object = {}): Promise<Json> =>
  gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: 'self', ...over });
const asAda = (path: string) => gateway.get(path, { key });

beforeAll(async () => {
  [ada, bo] = [await hire('Ada', { capabilities: ['sql'] }), await hire('Bo', { max_concurrent_tasks: 9 })];
  key = await gateway.makeKey(['agent:self'], { agentId: ada.id });
});

describe('GET /v1/agents/me', () => {
  it('is the agent whose key it is, as its own address shows it', async () => {
    const me = await asAda('/v1/agents/me');
    expect([me.status, me.body.id, me.body.name]).toEqual([200, ada.id, 'Ada']);
    const one = await asAda(`/v1/agents/${ada.id}`);
    const own = { leases: [], leases_truncated: false };
    expect({ ...me.body, last_active: '', presence: '' }).toEqual({
      ...one.body,
      ...own,
      last_active: '',
      presence: '',
    });
    expect(one.headers.get('etag')).toBe(me.headers.get('etag'));
  });

  it('is 404 for a key without an agent, and for a deleted agent', async () => {
    expectError(await gateway.get('/v1/agents/me'), 404, 'not_found');
    const gone = await hire('Eve');
    const own = await gateway.makeKey(['agent:self'], { agentId: gone.id });
    expect((await gateway.get('/v1/agents/me', { key: own })).status).toBe(200);
    await gateway.test.database.db.query('UPDATE agents SET deleted_at = now() WHERE tenant_id = $1 AND id = $2', [
      gateway.test.context().tenantId,
      gone.id,
    ]);
    expectError(await gateway.get('/v1/agents/me', { key: own }), 404, 'not_found');
  });
});

describe('a call with the key of an agent', () => {
  it('updates last_active and sets it online', async () => {
    const made = await hire('Cy');
    const own = await gateway.makeKey(['agent:self'], { agentId: made.id });
    expect([made.presence, made.last_active]).toEqual(['offline', made.created_at]);
    await gateway.get('/v1/agents/me', { key: own });
    let seen: Json;
    await eventually(async () => {
      seen = (await gateway.get(`/v1/agents/${made.id}`)).body;
      return seen.presence === 'online';
    });
    expect(Date.parse(seen.last_active)).toBeGreaterThan(Date.parse(seen.created_at));
    await numberEvents(gateway.test);
    // Other agents may come at the same moment.
    const events = (await gateway.get('/v1/events?event_type=agent.presence_changed&limit=100')).body.data;
    expect(events.map(({ data }: Json) => data).filter((data: Json) => data.agent_id === made.id)).toEqual([
      { agent_id: made.id, name: 'Cy', role: 'self', from: 'offline', to: 'online' },
    ]);
  });
});

describe('agent:self reads', () => {
  it('no other agent: 404', async () => {
    expectError(await asAda(`/v1/agents/${bo.id}`), 404, 'not_found');
  });

  it.each<[string, number, () => Promise<Json>]>([
    ['its agent may claim', 200, () => makeTask()],
    ['its agent may claim by its capabilities', 200, () => makeTask({ metadata: { required_capabilities: ['sql'] } })],
    ['any role may claim', 200, () => makeTask({ assigned_role: null })],
    ['is pinned to its agent', 200, () => makeTask({ assigned_role: 'other', assigned_agent: ada.id })],
    ['is pinned to another', 404, () => makeTask({ assigned_agent: bo.id })],
    ['is of another role', 404, () => makeTask({ assigned_role: 'other' })],
    ['needs what its agent cannot', 404, () => makeTask({ metadata: { required_capabilities: ['rust'] } })],
    ['another agent holds', 404, () => heldBy(bo.id)],
    ['its agent holds', 200, () => heldBy(ada.id)],
    ['is not there', 404, async () => ({ id: 'tsk_01ks0000000000000000000000' })],
  ])('of a task that %s: %d, and of its timeline alike', async (_, status, make) => {
    const { id } = await make();
    for (const path of [`/v1/tasks/${id}`, `/v1/tasks/${id}/timeline`]) {
      const response = await asAda(path);
      if (status === 404) expectError(response, 404, 'not_found');
      else expect([path, response.status]).toEqual([path, 200]);
    }
  });

  it('everything if the key also has tasks:read', async () => {
    const { id } = await makeTask({ assigned_role: 'other' });
    const both = await gateway.makeKey(['agent:self', 'tasks:read'], { agentId: ada.id });
    expect((await gateway.get(`/v1/tasks/${id}`, { key: both })).status).toBe(200);
  });

  it('nothing else: every route that does not name the scope is 403', async () => {
    const others = routes.filter(
      ({ scopes, hasCaller }) => hasCaller && scopes.length > 0 && !scopes.includes('agent:self'),
    );
    expect(others.length).toBeGreaterThan(20);
    for (const { method, path } of others) {
      const response = await gateway.send(
        method,
        path.replace(/\{[^}]+\}/g, 'nothing'),
        method === 'GET' ? undefined : '{}',
        {
          key,
        },
      );
      expect([method, path, response.status]).toEqual([method, path, 403]);
    }
  });
});

/** A task that the agent has claimed. */
async function heldBy(agentId: string): Promise<Json> {
  const { id } = await makeTask({ assigned_agent: agentId });
  await gateway.send('PATCH', `/v1/agents/${agentId}`, '{"max_concurrent_tasks":100}');
  for (;;) {
    const { body } = await gateway.post(`/v1/agents/${agentId}/claims`, {});
    if (body.task.id === id) return { id };
  }
}
