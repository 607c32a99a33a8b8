import type { Route } from '@eas/http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { validBodies } from '../from-contracts/breaks.ts';
import { expectError, useGateway } from '../gateway.ts';
import { named, useThings } from '../routes.ts';

const gateway = useGateway();
const { ids, pathOf } = useThings(gateway);
const posts = named.filter(([, { method }]) => method === 'POST');
/** Routes that act outside of the database, or for callers who are not authenticated yet. */
const refusing = [
  'POST /v1/webhooks/{webhook_id}/test',
  'POST /v1/integrations/{integration_id}/test',
  'POST /v1/local-runners',
  'POST /v1/local-runners/{agent_id}/retry',
  'POST /admin/api/session',
];

const step = { id: 'a', name: 'A', role: 'rd', task: { title: 't', description: 'd' } };
const workflow = { name: 'w', description: 'd', estimated_duration: '1 hour', steps: [step] };

/** Routes whose contract does not describe valid bodies completely. */
const bodies = (): Record<string, object> => ({
  'POST /v1/tasks': { title: 't', description: 'd' },
  'POST /v1/leases/{lease_id}/acknowledge': { fencing_token: 1 },
  'POST /v1/inputs/{input_id}/answer': { answer: 'a' },
  'POST /v1/integrations': { type: 'github', org_name: 'acme', secret: 'a secret of the host' },
  'POST /v1/integrations/{integration_id}/reconcile': { since: '2026-11-20T10:00:00Z' },
  'POST /v1/policies': { role: 'policed' },
  'POST /v1/budgets': { scope: 'tenant', unit: 'calls', period: 'day', limit: 1 },
  'POST /v1/profiles': { name: 'p', roles: ['profiled'] },
  'POST /v1/workflows': workflow,
  'POST /v1/workflows/validate': workflow,
  'POST /v1/runners': { agent_id: ids['agent_id'], instance: 'i', host: 'h', version: '1', concurrency: 1 },
  'POST /admin/api/keys': { name: 'k', scopes: ['tasks:read'] },
});

/** Only a task platform can be compared with. */
let platformId: string;
beforeAll(async () => {
  const platform = { type: 'taskplatform', secret: 'a secret of the platform', token: 'pk_token' };
  platformId = (await gateway.make('/v1/integrations', platform)).id;
});

function sendWithKey(name: string, route: Route) {
  const body = bodies()[name] ?? (route.body && validBodies(route.body)[0]);
  const headers = { 'idempotency-key': 'one' };
  const path = pathOf(route, name.endsWith('/reconcile') ? platformId : undefined);
  return gateway.send('POST', path, body && JSON.stringify(body), { headers });
}

describe.each(posts.filter(([name]) => !refusing.includes(name)))('%s with an Idempotency-Key', (name, route) => {
  it('repeats its response and does nothing again', async () => {
    const first = await sendWithKey(name, route);
    const rows = await gateway.rows();
    const second = await sendWithKey(name, route);
    expect([second.status, await gateway.rows()]).toEqual([first.status, rows]);
    // Nothing was done that could be repeated.
    if (first.status === 204 || (route.isIdempotent === 'by_handler' && first.status === 409)) return;
    expect([first.status, second.headers.get('idempotent-replayed')]).toEqual([first.status, 'true']);
    const withoutRequest = (text: string) => text.replace(/req_\w+/, '');
    expect(withoutRequest(second.text)).toBe(withoutRequest(first.text));
  });
});

describe.each(posts.filter(([name]) => refusing.includes(name)))('%s with an Idempotency-Key', (name, route) => {
  it('is refused and does nothing', async () => {
    const rows = await gateway.rows();
    const refused = await sendWithKey(name, route);
    expectError(refused, 400, 'invalid_request', { field: 'Idempotency-Key', constraint: 'unknown_field' });
    expect(refused.body.error.message).toContain('Leave it out.');
    expect(await gateway.rows()).toEqual(rows);
  });
});
