import { type Scope, scopes } from '@eas/contracts';
import type { Route } from '@eas/http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectError, useGateway } from './gateway.ts';
import { validBodies } from './from-contracts/breaks.ts';
import { oauthScene } from './oauth/oauth-scene.ts';
import { named, routes, useThings } from './routes.ts';

// Each route is asked with wrong credentials, all within a minute.
const gateway = useGateway({ failures: 1_000_000 });
const { pathOf } = useThings(gateway);
const scene = oauthScene(gateway);
const bodyOf = (route: Route, text: string) => (route.body ? text : undefined);

/** Repeated here on purpose: the scopes of routes must not change by accident. */
const expectedScopes = {
  'POST /v1/tasks': ['tasks:write'],
  'GET /v1/tasks': ['tasks:read'],
  'GET /v1/tasks/counts': ['tasks:read'],
  'GET /v1/tasks/{task_id}': ['tasks:read', 'agent:self'],
  'PATCH /v1/tasks/{task_id}': ['tasks:write'],
  'DELETE /v1/tasks/{task_id}': ['tasks:write'],
  'POST /v1/tasks/{task_id}/comments': ['tasks:write'],
  'POST /v1/tasks/{task_id}/retry': ['tasks:write'],
  'POST /v1/tasks/{task_id}/messages': ['tasks:write'],
  'POST /v1/tasks/{task_id}/approve': ['tasks:write'],
  'POST /v1/tasks/{task_id}/reject': ['tasks:write'],
  'GET /v1/tasks/{task_id}/events': ['tasks:read', 'agent:self'],
  'GET /v1/tasks/{task_id}/session': ['tasks:read', 'agent:self'],
  'GET /v1/tasks/{task_id}/session/events': ['tasks:read', 'agent:self'],
  'GET /v1/events/stream': ['events:read'],
  'GET /v1/tasks/{task_id}/artifacts': ['tasks:read', 'agent:self'],
  'GET /v1/tasks/{task_id}/artifacts/{artifact_id}': ['tasks:read', 'agent:self'],
  'GET /v1/tasks/{task_id}/timeline': ['tasks:read', 'agent:self'],
  'POST /v1/agents': ['agents:write'],
  'GET /v1/agents': ['agents:read'],
  'GET /v1/agents/me': ['agents:read', 'agent:self'],
  'GET /v1/agents/me/leases': ['agent:self'],
  'GET /v1/agents/{agent_id}': ['agents:read', 'agent:self'],
  'POST /v1/agents/{agent_id}/pause': ['agents:write'],
  'POST /v1/agents/{agent_id}/resume': ['agents:write'],
  'POST /v1/agents/{agent_id}/drain': ['agents:write'],
  'PATCH /v1/agents/{agent_id}': ['agents:write'],
  'DELETE /v1/agents/{agent_id}': ['agents:write'],
  'POST /v1/agents/{agent_id}/claims': ['agent:self', 'admin'],
  'POST /v1/runners': ['agent:self', 'admin'],
  'POST /v1/runners/{runner_id}/heartbeat': ['agent:self', 'admin'],
  'GET /v1/runners': ['agents:read'],
  'GET /v1/runners/{runner_id}': ['agents:read', 'agent:self'],
  'POST /v1/runners/{runner_id}/drain': ['agents:write'],
  'DELETE /v1/runners/{runner_id}': ['agents:write', 'agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/resume': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/heartbeat': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/progress': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/complete': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/checkpoint': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/session/entries': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/model-calls': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/model-calls/usage': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/artifacts': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/acknowledge': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/fail': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/release': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/handoff': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/inputs': ['agent:self', 'admin'],
  'GET /v1/inputs': ['tasks:read', 'agent:self'],
  'GET /v1/inputs/{input_id}': ['tasks:read', 'agent:self'],
  'POST /v1/inputs/{input_id}/answer': ['tasks:write'],
  'POST /v1/leases/{lease_id}/permissions': ['agent:self', 'admin'],
  'GET /v1/tasks/{task_id}/permissions': ['tasks:read', 'agent:self'],
  'DELETE /v1/tasks/{task_id}/permissions/{permission_id}': ['tasks:write'],
  'POST /v1/webhooks': ['webhooks:write'],
  'GET /v1/webhooks': ['webhooks:read'],
  'GET /v1/webhooks/{webhook_id}': ['webhooks:read'],
  'PATCH /v1/webhooks/{webhook_id}': ['webhooks:write'],
  'DELETE /v1/webhooks/{webhook_id}': ['webhooks:write'],
  'POST /v1/webhooks/{webhook_id}/enable': ['webhooks:write'],
  'POST /v1/webhooks/{webhook_id}/disable': ['webhooks:write'],
  'POST /v1/webhooks/{webhook_id}/rotate-secret': ['webhooks:write'],
  'POST /v1/webhooks/{webhook_id}/test': ['webhooks:write'],
  'GET /v1/webhooks/{webhook_id}/deliveries': ['webhooks:read'],
  'POST /v1/webhooks/{webhook_id}/replays': ['webhooks:write'],
  'GET /v1/webhooks/{webhook_id}/replays': ['webhooks:read'],
  'GET /v1/replays/{replay_id}': ['webhooks:read'],
  'POST /v1/replays/{replay_id}/cancel': ['webhooks:write'],
  'GET /v1/webhooks/{webhook_id}/events': ['events:read'],
  'GET /v1/deliveries/dead': ['webhooks:read'],
  'GET /v1/deliveries/{delivery_id}': ['webhooks:read'],
  'POST /v1/deliveries/{delivery_id}/resend': ['webhooks:write'],
  'GET /v1/events': ['events:read'],
  'GET /v1/events/{event_id}': ['events:read'],
  'POST /v1/integrations': ['integrations:write'],
  'GET /v1/integrations': ['integrations:read'],
  'GET /v1/integrations/{integration_id}': ['integrations:read'],
  'PATCH /v1/integrations/{integration_id}': ['integrations:write'],
  'DELETE /v1/integrations/{integration_id}': ['integrations:write'],
  'POST /v1/integrations/{integration_id}/rotate-secret': ['integrations:write'],
  'GET /v1/integrations/{integration_id}/messages': ['integrations:read'],
  'POST /v1/integrations/{integration_id}/test': ['integrations:write'],
  'GET /v1/inbound-events': ['integrations:read'],
  'GET /v1/inbound-events/{inbound_event_id}': ['integrations:read'],
  'POST /v1/inbound-events/{inbound_event_id}/replay': ['integrations:write'],
  'POST /v1/inbound-events/replays': ['integrations:write'],
  'POST /v1/integrations/{integration_id}/reconcile': ['integrations:write'],
  'GET /v1/reconciliations/{reconciliation_id}': ['integrations:read'],
  'POST /v1/reconciliations/{reconciliation_id}/cancel': ['integrations:write'],
  'GET /v1/inbound-replays/{inbound_replay_id}': ['integrations:read'],
  'POST /v1/inbound-replays/{inbound_replay_id}/cancel': ['integrations:write'],
  'POST /v1/profiles': ['projects:write'],
  'GET /v1/profiles': ['tasks:read'],
  'GET /v1/profiles/{profile_id}': ['tasks:read'],
  'PATCH /v1/profiles/{profile_id}': ['projects:write'],
  'DELETE /v1/profiles/{profile_id}': ['projects:write'],
  'GET /v1/profiles/{profile_id}/versions': ['tasks:read'],
  'GET /v1/profiles/{profile_id}/versions/{version}': ['tasks:read'],
  'GET /v1/agents/{agent_id}/profile': ['agents:read', 'agent:self'],
  'POST /v1/projects': ['projects:write'],
  'GET /v1/projects': ['tasks:read'],
  'GET /v1/projects/{project_id}': ['tasks:read'],
  'PATCH /v1/projects/{project_id}': ['projects:write'],
  'POST /v1/projects/{project_id}/archive': ['projects:write'],
  'POST /v1/projects/{project_id}/unarchive': ['projects:write'],
  'GET /v1/policies': ['tasks:read'],
  'GET /v1/policies/{policy_id}': ['tasks:read'],
  'POST /v1/policies': ['projects:write'],
  'PATCH /v1/policies/{policy_id}': ['projects:write'],
  'DELETE /v1/policies/{policy_id}': ['projects:write'],
  'POST /v1/workflows': ['workflows:write'],
  'POST /v1/workflows/validate': ['workflows:write'],
  'GET /v1/workflows': ['workflows:read'],
  'GET /v1/workflows/{workflow_id}': ['workflows:read'],
  'PATCH /v1/workflows/{workflow_id}': ['workflows:write'],
  'POST /v1/workflows/{workflow_id}/archive': ['workflows:write'],
  'POST /v1/workflows/{workflow_id}/unarchive': ['workflows:write'],
  'GET /v1/analytics/durations': ['analytics:read'],
  'GET /v1/analytics/durations.csv': ['analytics:read'],
  'GET /v1/analytics/performance': ['analytics:read'],
  'GET /v1/analytics/performance.csv': ['analytics:read'],
  'GET /v1/analytics/series': ['analytics:read'],
  'GET /v1/analytics/series.csv': ['analytics:read'],
  'GET /v1/analytics/usage': ['analytics:read'],
  'GET /v1/analytics/usage.csv': ['analytics:read'],
  'GET /v1/usage': ['analytics:read'],
  'GET /v1/budgets': ['analytics:read'],
  'POST /v1/budgets': ['admin'],
  'GET /v1/budgets/{budget_id}': ['analytics:read'],
  'PATCH /v1/budgets/{budget_id}': ['admin'],
  'DELETE /v1/budgets/{budget_id}': ['admin'],
  'GET /v1/model-prices': ['analytics:read'],
  'PATCH /v1/model-prices': ['admin'],
  'POST /v1/agents/{agent_id}/keys': ['agents:write'],
  'GET /v1/local-runners': ['admin'],
  'POST /v1/local-runners': ['admin'],
  'POST /v1/local-runners/{agent_id}/retry': ['admin'],
  'DELETE /v1/local-runners/{agent_id}': ['admin'],
  'POST /v1/workflows/{workflow_id}/start': ['workflows:run'],
  'GET /v1/runs': ['workflows:read'],
  'GET /v1/runs/{run_id}': ['workflows:read'],
  'POST /v1/runs/{run_id}/cancel': ['workflows:run'],
  'POST /v1/runs/{run_id}/pause': ['workflows:run'],
  'POST /v1/runs/{run_id}/resume': ['workflows:run'],
  'POST /v1/runs/{run_id}/retry': ['workflows:run'],
  'POST /v1/runs/{run_id}/steps/{step_id}/approve': ['workflows:run'],
  'POST /v1/runs/{run_id}/steps/{step_id}/reject': ['workflows:run'],
  'GET /v1/runs/{run_id}/timeline': ['workflows:read'],
  'GET /v1/runs/{run_id}/events': ['workflows:read'],
  'POST /admin/api/session': [],
  'GET /admin/api/session': [...scopes],
  'POST /admin/api/session/password': [...scopes],
  'DELETE /admin/api/session': [...scopes],
  'POST /admin/api/keys': ['admin'],
  'GET /admin/api/keys': ['admin'],
  'GET /admin/api/keys/{key_id}': ['admin'],
  'PATCH /admin/api/keys/{key_id}': ['admin'],
  'DELETE /admin/api/keys/{key_id}': ['admin'],
  'POST /admin/api/keys/{key_id}/rotate': ['admin'],
  'POST /admin/api/clients': ['admin'],
  'GET /admin/api/clients': ['admin'],
  'GET /admin/api/clients/{client_id}': ['admin'],
  'PATCH /admin/api/clients/{client_id}': ['admin'],
  'DELETE /admin/api/clients/{client_id}': ['admin'],
  'POST /admin/api/clients/{client_id}/rotate-secret': ['admin'],
  'POST /admin/api/tenants': ['admin'],
  'GET /admin/api/tenants': ['admin'],
  'GET /admin/api/tenants/{tenant_id}': ['admin'],
  'PATCH /admin/api/tenants/{tenant_id}': ['admin'],
  'DELETE /admin/api/tenants/{tenant_id}': ['admin'],
  'POST /admin/api/tenants/{tenant_id}/suspend': ['admin'],
  'POST /admin/api/tenants/{tenant_id}/resume': ['admin'],
  'POST /admin/api/users': ['admin'],
  'GET /admin/api/users': ['admin'],
  'GET /admin/api/users/{user_id}': ['admin'],
  'PATCH /admin/api/users/{user_id}': ['admin'],
  'DELETE /admin/api/users/{user_id}': ['admin'],
  'POST /admin/api/users/{user_id}/link': ['admin'],
  'GET /admin/api/audit': ['admin'],
  'GET /admin/api/views': [...scopes],
  'POST /admin/api/views': [...scopes],
  'DELETE /admin/api/views/{view_id}': [...scopes],
  'GET /admin/api/names': [...scopes],
  'GET /admin/api/system': ['admin'],
  'GET /admin/api/system/dead-events': ['admin'],
  'POST /admin/api/system/dead-events/retry': ['admin'],
  'GET /admin/api/usage': ['admin'],
  'GET /admin/api/usage.csv': ['admin'],
};

it('every route is opened by the scopes that it is meant for', () => {
  expect(Object.fromEntries(routes.map(({ method, path, scopes: own }) => [`${method} ${path}`, own]))).toEqual(
    expectedScopes,
  );
});

const tokens = new Map<string, Promise<string>>();
/** An access token with these scopes, of a person and a client who have them all. */
function tokenWith(own: readonly Scope[]): Promise<string> {
  const scope = own.join(' ');
  const make = async () => {
    const client = await scene.makeClient({ scopes: [...scopes], tier: 'enterprise' });
    return (await scene.tokensFor(client, { scope }, scopes)).access_token as string;
  };
  const token = tokens.get(scope) ?? make();
  tokens.set(scope, token);
  return token;
}

const keys = new Map<string, Promise<string>>();
/** A key with these scopes alone: a tenant may have a limited number of keys. */
function keyWith(own: readonly Scope[]): Promise<string> {
  const scope = own.join(' ');
  const key = keys.get(scope) ?? gateway.makeKey(own);
  keys.set(scope, key);
  return key;
}

let expired = '';
let revoked = '';
beforeAll(async () => {
  const end = async (column: 'expires_at' | 'revoked_at') => {
    const key = await gateway.makeKey(scopes);
    await gateway.test.database.db.query(
      `UPDATE api_keys SET ${column} = app_now() - interval '1 second' WHERE last_four = $1`,
      [key.slice(-4)],
    );
    return key;
  };
  expired = await end('expires_at');
  revoked = await end('revoked_at');
});

it('marks the routes whose responses may be late, for the access log: streams, and those that take wait_seconds', () => {
  const fieldsOf = ({ body, query }: Route) => Object.keys({ ...query?.shape, ...(body as typeof query)?.shape });
  const isLate = (route: Route) => route.isStream || fieldsOf(route).includes('wait_seconds');
  expect(routes.filter(isLate).length).toBeGreaterThan(4);
  expect(routes.filter(({ canWait }) => canWait)).toEqual(routes.filter(isLate));
});

describe.each(named.filter(([, { hasCaller }]) => hasCaller))('%s', (_name, route) => {
  it('has an id for each of its parameters', () => {
    expect(pathOf(route)).not.toContain('no id');
  });

  it('is 401 without a credential, whatever else is wrong', async () => {
    const response = await gateway.send(route.method, `${pathOf(route)}?nonsense=1`, bodyOf(route, '{'), { key: null });
    expectError(response, 401, 'unauthorized');
  });

  it('is 401 with a key that has expired or was revoked', async () => {
    for (const key of [expired, revoked]) {
      const response = await gateway.send(route.method, pathOf(route), bodyOf(route, '{'), { key });
      expectError(response, 401, 'unauthorized');
    }
  });

  it('is 403 with a bearer token that has every scope but those that open it', async () => {
    const others = scopes.filter((scope) => !route.scopes.includes(scope));
    if (others.length === 0 || route.scopes.length === 0) return;
    const headers = { authorization: `Bearer ${await tokenWith(others)}` };
    const rows = await gateway.rows();
    const response = await gateway.send(route.method, pathOf(route), bodyOf(route, '{'), { key: null, headers });
    expectError(response, 403, 'forbidden');
    expect(await gateway.rows()).toEqual(rows);
  });

  it('is 403 with a key that has every scope but those that open it, and names them', async () => {
    const key = await keyWith(scopes.filter((scope) => !route.scopes.includes(scope)));
    const rows = await gateway.rows();
    const response = await gateway.send(route.method, `${pathOf(route)}?nonsense=1`, bodyOf(route, '{'), { key });
    expectError(response, 403, 'forbidden');
    for (const scope of route.scopes) expect(response.body.error.message).toContain(scope);
    expect(await gateway.rows()).toEqual(rows);
  });

  it('lets each of its scopes in alone, by a key in either header', async () => {
    for (const scope of route.scopes) {
      const key = await keyWith([scope]);
      for (const credential of [{ key }, { key: null, headers: { authorization: `Bearer ${key}` } }]) {
        const path = `${pathOf(route)}?nonsense=1`;
        const response = await gateway.send(route.method, path, bodyOf(route, '{}'), credential);
        expect([response.status, response.body.error.details]).toEqual([
          400,
          { field: 'nonsense', constraint: 'unknown_field' },
        ]);
      }
    }
  });

  it('does not find resources of other tenants', async () => {
    if (!route.params) return;
    const key = await gateway.makeKey(scopes, { tenantId: await gateway.test.createTenant() });
    const valid = route.body && JSON.stringify(validBodies(route.body)[0]);
    const rows = await gateway.rows();
    const response = await gateway.send(route.method, pathOf(route), valid, { key });
    expect(await gateway.rows()).toEqual(rows);
    // Tenants themselves are the operator's alone.
    if (route.path.startsWith('/admin/api/tenants/')) expectError(response, 403, 'forbidden');
    else expectError(response, 404, 'not_found');
  });
});
