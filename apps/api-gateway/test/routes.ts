import { beforeAll } from '@jest/globals';
import { newId } from '@eas/core';
import type { Route } from '@eas/http';
import { apiRoutes, type RouteParts } from '../src/routes/index.ts';
import { baseUrl, endpointRules, type Gateway, rateCeiling, repositoryRules, cookies } from './gateway.ts';
import { numberEvents } from './relay.ts';

const waitingClaims = {} as RouteParts['waitingClaims'];
const changeWaits = {} as RouteParts['changeWaits'];
const signIn = {} as RouteParts['signIn'];
const endpointTesting = {} as RouteParts['endpointTesting'];
const chatTesting = {} as RouteParts['chatTesting'];
const system = {} as RouteParts['system'];
const supervisor = undefined;
/** Only described here; the gateway of a test has its own. */
export const routes = apiRoutes({
  waitingClaims,
  rateCeiling,
  endpointRules,
  repositoryRules,
  endpointTesting,
  chatTesting,
  changeWaits,
  signIn,
  system,
  supervisor,
  shippedWorkflows: [],
  cookies,
  baseUrl,
}).filter(({ isPage }) => !isPage);

/** For describe.each: the routes with their names. */
export const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const);

let made = 0;
type Make = (gateway: Gateway, need: (name: string) => Promise<string>) => Promise<string>;
const pageUrl = { url: 'https://example.com', events: ['*'] };
const inPast = { since: '2026-11-20T10:00:00Z' };

/** How a thing of each kind is made through the interface, or left as another program leaves it; `need` gives those before it. */
const makers: Record<string, Make> = {
  agent_id: async (gateway, need) =>
    (await gateway.make('/v1/agents', { name: 'Ada', role: await need('role'), max_concurrent_tasks: 100 })).id,
  task_id: async (gateway, need) =>
    (await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: await need('role') })).id,
  role: async () => `things-${(made += 1)}`,
  webhook_id: async (gateway) => (await gateway.make('/v1/webhooks', pageUrl)).id,
  event_id: async (gateway, need) => {
    await need('task_id');
    await numberEvents(gateway.test);
    return (await gateway.get('/v1/events?limit=1')).body.data[0].event_id;
  },
  delivery_id: async (gateway, need) =>
    makeDelivery(gateway, { event_id: await need('event_id'), webhook_id: await need('webhook_id') }),
  replay_id: async (gateway, need) => {
    const { id } = await gateway.make(`/v1/webhooks/${await need('webhook_id')}/replays`, {});
    // A tenant has few running ones.
    await gateway.post(`/v1/replays/${id}/cancel`, undefined);
    return id;
  },
  integration_id: async (gateway) => {
    const github = { type: 'github', org_name: 'acme', secret: 'a secret of the host' };
    return (await gateway.make('/v1/integrations', github)).id;
  },
  inbound_event_id: async (gateway, need) => makeReceipt(gateway, { integrationId: await need('integration_id') }),
  inbound_replay_id: async (gateway, need) => {
    await need('integration_id');
    // A tenant has one running one, and a random request may have made it.
    await endInboundReplays(gateway);
    const { id } = await gateway.make('/v1/inbound-events/replays', {});
    await endInboundReplays(gateway);
    return id;
  },
  reconciliation_id: async (gateway, need) => {
    const platform = { type: 'taskplatform', secret: `a secret of ${await need('role')}`, token: 'pk_token' };
    const platformId = (await gateway.make('/v1/integrations', platform)).id;
    const { body } = await gateway.post(`/v1/integrations/${platformId}/reconcile`, inPast);
    // A tenant has few integrations; what is known of this one stays readable.
    await gateway.send('DELETE', `/v1/integrations/${platformId}`);
    return body.id;
  },
  key_id: async (gateway) => (await gateway.make('/admin/api/keys', { name: 'k', scopes: ['tasks:read'] })).id,
  user_id: async (gateway, need) => {
    const person = { email: `${await need('role')}@example.com`, name: 'Ada', scopes: ['tasks:read'] };
    return (await gateway.make('/admin/api/users', person)).id;
  },
  tenant_id: async (gateway, need) => (await gateway.make('/admin/api/tenants', { slug: await need('role') })).id,
  client_id: async (gateway) => {
    const client = { name: 'c', redirect_uris: ['https://example.com/callback'], scopes: ['tasks:read'] };
    return (await gateway.make('/admin/api/clients', client)).id;
  },
  view_id: async (gateway, need) =>
    (await gateway.make('/admin/api/views', { kind: 'task_view', name: await need('role'), data: {} })).id,
  runner_id: async (gateway, need) => {
    const runner = { agent_id: await need('agent_id'), instance: await need('role'), host: 'h', version: '1' };
    return (await gateway.make('/v1/runners', { ...runner, concurrency: 1 })).id;
  },
  profile_id: async (gateway, need) => {
    const role = await need('role');
    return (await gateway.make('/v1/profiles', { name: role, roles: [role] })).id;
  },
  version: () => Promise.resolve('1'),
  project_id: async (gateway, need) => (await gateway.make('/v1/projects', { name: await need('role') })).id,
  policy_id: async (gateway, need) => (await gateway.make('/v1/policies', { role: await need('role') })).id,
  permission_id: async (gateway, need) => {
    const { lease_id, fencing_token } = JSON.parse(await need('lease'));
    const permission = { tool: 'execute', title: 'p' };
    const asked = { fencing_token, kind: 'permission', prompt: 'p', permission, blocking: false };
    const { input } = await gateway.make(`/v1/leases/${lease_id}/inputs`, asked);
    await gateway.post(`/v1/inputs/${input.id}/answer`, { decision: 'allow_always' });
    return (await gateway.get(`/v1/tasks/${await need('task_id')}/permissions`)).body.data[0].id;
  },
  budget_id: async (gateway) =>
    (await gateway.make('/v1/budgets', { scope: 'tenant', unit: 'calls', period: 'day', limit: 1_000_000 })).id,
  workflow_id: async (gateway, need) => {
    const step = { id: 'only', name: 's', role: await need('role'), task: { title: 't', description: 'd' } };
    const workflow = { name: 'w', description: 'd', estimated_duration: '1 hour', steps: [step] };
    return (await gateway.make('/v1/workflows', workflow)).id;
  },
  run_id: async (gateway, need) =>
    (await gateway.make(`/v1/workflows/${await need('workflow_id')}/start`, { name: 'r' })).workflow_run_id,
  step_id: async (gateway, need) => (await gateway.get(`/v1/runs/${await need('run_id')}`)).body.current_step.id,
  lease: async (gateway, need) => {
    await need('task_id');
    const { lease } = (await gateway.post(`/v1/agents/${await need('agent_id')}/claims`, {})).body;
    return JSON.stringify(lease);
  },
  lease_id: async (_gateway, need) => JSON.parse(await need('lease')).lease_id,
  input_id: async (gateway, need) => {
    const { lease_id, fencing_token } = JSON.parse(await need('lease'));
    const asked = { fencing_token, kind: 'question', prompt: 'p', blocking: false };
    return (await gateway.make(`/v1/leases/${lease_id}/inputs`, asked)).input.id;
  },
  artifact_id: async (gateway, need) => {
    const { lease_id, fencing_token } = JSON.parse(await need('lease'));
    const diff = { fencing_token, kind: 'diff', content: '+1' };
    return (await gateway.post(`/v1/leases/${lease_id}/artifacts`, diff)).body.artifact.id;
  },
};

const parameter = /\{([^}]+)\}/g;

/** A thing of each kind that the routes' paths name, made for the describe around; gives the path of a route that leads to them. */
export function useThings(gateway: Gateway, of: readonly Pick<Route, 'path'>[] = routes) {
  const ids: Record<string, string> = {};
  const need = async (name: string): Promise<string> => {
    const make = makers[name];
    if (!make) throw new Error(`nothing makes ${name}`);
    return (ids[name] ??= await make(gateway, need));
  };
  beforeAll(async () => {
    for (const { path } of of) for (const [, name = ''] of path.matchAll(parameter)) await need(name);
  });
  return {
    ids,
    /** The route's path with ids of things that are there, or with another text in their place. */
    pathOf: ({ path }: Pick<Route, 'path'>, id?: string) =>
      path.replace(parameter, (_, name: string) => id ?? ids[name] ?? `no id for ${name}`),
  };
}

/** A dead delivery of the event to the webhook: what a dispatcher leaves. */
export async function makeDelivery({ test }: Gateway, ids: Record<string, string>): Promise<string> {
  const id = newId('delivery');
  const sql = `INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, created_at, settled_at)
    SELECT tenant_id, $1, id, $2, 'dead', 1, app_now(), app_now() FROM endpoints WHERE id = $3`;
  await test.database.db.query(sql, [ids['event_id'], id, ids['webhook_id']]);
  return id;
}

async function endInboundReplays({ test }: Gateway): Promise<void> {
  await test.database.db
    .query(`UPDATE inbound_replays SET status = 'cancelled', next_run_at = NULL, finished_at = app_now()
    WHERE status = 'running'`);
}

/** A receipt of an integration that could not be applied: what the receiver and the orchestrator leave. */
export async function makeReceipt(
  { test }: Gateway,
  {
    integrationId,
    status = 'failed',
    body = '{}',
  }: { integrationId: string | undefined; status?: string; body?: string },
): Promise<string> {
  const id = newId('inboundEvent');
  const sql = `
    INSERT INTO inbound_events (tenant_id, id, source, integration_ref, event, external_id, body, received_at, status,
      settled_at, outcome)
    SELECT tenant_id, $1, 'taskplatform', id, 'taskUpdated', '86abc', $2, app_now(), $3, app_now(), 'too_large: it is'
    FROM integrations WHERE id = $4`;
  await test.database.db.query(sql, [id, body, status, integrationId]);
  return id;
}

/** The route's path with ids that nothing has. */
export const pathToNothing = ({ path }: Route) => path.replace(/\{([^}]+)\}/g, 'nothing');
