import { beforeAll } from '@jest/globals';
import { newId } from '@eas/core';
import type { Route } from '@eas/http';
import { apiRoutes, type RouteParts } from '../src/routes/index.ts';
import { baseUrl, endpointRules, type Gateway, rateCeiling, cookies } from './gateway.ts';
import { numberEvents } from './relay.ts';

const room = {} as RouteParts['room'];
const eventWaits = {} as RouteParts['eventWaits'];
const signIn = {} as RouteParts['signIn'];
const endpointTesting = {} as RouteParts['endpointTesting'];
const chatTesting = {} as RouteParts['chatTesting'];
const system = {} as RouteParts['system'];
/** Only described here; the gateway of a test has its own. */
export const routes = apiRoutes({
  room,
  rateCeiling,
  endpointRules,
  endpointTesting,
  chatTesting,
  eventWaits,
  signIn,
  system,
  cookies,
  baseUrl,
}).filter(({ isPage }) => !isPage);

/** For describe.each: the routes with their names. */
export const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const);

let made = 0;

/** One thing of each kind, made for the describe around; gives the path of a route that leads to them. */
export function useThings(gateway: Gateway) {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const role = `things-${(made += 1)}`;
    ids['agent_id'] = (await gateway.make('/v1/agents', { name: 'Ada', role, max_concurrent_tasks: 100 })).id;
    ids['task_id'] = (await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: role })).id;
    ids['webhook_id'] = (await gateway.make('/v1/webhooks', { url: 'https://example.com', events: ['*'] })).id;
    await numberEvents(gateway.test);
    ids['event_id'] = (await gateway.get('/v1/events?limit=1')).body.data[0].event_id;
    ids['delivery_id'] = await makeDelivery(gateway, ids);
    ids['replay_id'] = (await gateway.make(`/v1/webhooks/${ids['webhook_id']}/replays`, {})).id;
    // A tenant has few running ones.
    await gateway.post(`/v1/replays/${ids['replay_id']}/cancel`, undefined);
    const github = { type: 'github', org_name: 'acme', secret: 'a secret of the host' };
    ids['integration_id'] = (await gateway.make('/v1/integrations', github)).id;
    ids['inbound_event_id'] = await makeReceipt(gateway, { integrationId: ids['integration_id'] });
    // A tenant has one running one, and a random request may have made it.
    await endInboundReplays(gateway);
    ids['inbound_replay_id'] = (await gateway.make('/v1/inbound-events/replays', {})).id;
    await endInboundReplays(gateway);
    const platform = { type: 'taskplatform', secret: `a secret of ${role}`, token: 'pk_token' };
    const platformId = (await gateway.make('/v1/integrations', platform)).id;
    const reconciled = await gateway.post(`/v1/integrations/${platformId}/reconcile`, {
      since: '2026-11-20T10:00:00Z',
    });
    ids['reconciliation_id'] = reconciled.body.id;
    // A tenant has few integrations; what is known of this one stays readable.
    await gateway.send('DELETE', `/v1/integrations/${platformId}`);
    ids['key_id'] = (await gateway.make('/admin/api/keys', { name: 'k', scopes: ['tasks:read'] })).id;
    const person = { email: `${role}@example.com`, name: 'Ada', scopes: ['tasks:read'] };
    ids['user_id'] = (await gateway.make('/admin/api/users', person)).id;
    const client = { name: 'c', redirect_uris: ['https://example.com/callback'], scopes: ['tasks:read'] };
    ids['client_id'] = (await gateway.make('/admin/api/clients', client)).id;
    const view = { kind: 'task_view', name: role, data: {} };
    ids['view_id'] = (await gateway.make('/admin/api/views', view)).id;
    const step = { id: 'only', name: 's', role, task: { title: 't', description: 'd' } };
    const workflow = { name: 'w', description: 'd', estimated_duration: '1 hour', steps: [step] };
    ids['workflow_id'] = (await gateway.make('/v1/workflows', workflow)).id;
    const run = await gateway.make(`/v1/workflows/${ids['workflow_id']}/start`, { name: 'r' });
    ids['run_id'] = run.workflow_run_id;
    ids['step_id'] = run.current_step.id;
    const claim = await gateway.post(`/v1/agents/${ids['agent_id']}/claims`, {});
    const lease = claim.body.lease;
    ids['lease_id'] = lease.lease_id;
    const asked = { fencing_token: lease.fencing_token, kind: 'question', prompt: 'p', blocking: false };
    ids['input_id'] = (await gateway.make(`/v1/leases/${lease.lease_id}/inputs`, asked)).input.id;
  });
  return {
    ids,
    /** The route's path with ids of things that are there, or with another text in their place. */
    pathOf: ({ path }: Pick<Route, 'path'>, id?: string) =>
      path.replace(/\{([^}]+)\}/g, (_, name: string) => id ?? ids[name] ?? `no id for ${name}`),
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
