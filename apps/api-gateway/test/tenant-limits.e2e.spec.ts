import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from './gateway.ts';

const most = 4;
const gateway = useGateway({
  limits: {
    agents: most,
    keys: most,
    endpoints: most,
    integrations: most,
    workflows: most,
    projects: most,
    profiles: most,
    policies: most,
    runners: most,
    budgets: most,
    commentsPerTask: most,
  },
});
const more = [
  'workflows:write',
  'projects:write',
  'workflows:read',
  'integrations:write',
  'integrations:read',
  'events:read',
  'agents:read',
  'webhooks:read',
] as const;
const step = { id: 'only', name: 's', role: 'rd', task: { title: 't', description: 'd' } };

/** What makes one of each kind, and how one is taken away again. */
const kinds: [what: string, path: string, body: (n: number) => object, taken: 'deleted' | 'archived'][] = [
  ['agents', '/v1/agents', (n) => ({ name: `a${n}`, role: 'rd' }), 'deleted'],
  ['keys', '/admin/api/keys', (n) => ({ name: `k${n}`, scopes: ['tasks:read'] }), 'deleted'],
  ['endpoints', '/v1/webhooks', () => ({ url: 'https://example.com/hook', events: ['*'] }), 'deleted'],
  [
    'integrations',
    '/v1/integrations',
    (n) => ({ type: 'github', org_name: `o${n}`, secret: 'a secret of the host' }),
    'deleted',
  ],
  [
    'workflows',
    '/v1/workflows',
    (n) => ({ name: `w${n}`, description: 'd', estimated_duration: '1 day', steps: [step] }),
    'archived',
  ],
  ['profiles', '/v1/profiles', (n) => ({ name: `p${n}` }), 'deleted'],
  ['projects', '/v1/projects', (n) => ({ name: `p${n}` }), 'archived'],
  ['budgets', '/v1/budgets', (n) => ({ scope: 'tenant', unit: 'calls', period: 'day', limit: n }), 'deleted'],
];

describe.each(kinds)('%s', (what, path, body, taken) => {
  it('of a tenant are limited by the setting, also when they are created at the same time', async () => {
    const tenantId = await gateway.test.createTenant();
    // The key that the test works with is one of the tenant's.
    const key = await gateway.makeKey(['admin', 'agents:write', 'webhooks:write', 'tasks:read', ...more], { tenantId });
    const make = (n: number) => gateway.send('POST', path, JSON.stringify(body(n)), { key });
    const made = await Promise.all(Array.from({ length: 12 }, (_, n) => make(n)));
    const statuses = made.map(({ status }) => status).toSorted();
    const free = what === 'keys' ? most - 1 : most;
    expect(statuses).toEqual([...Array(free).fill(201), ...Array(12 - free).fill(409)]);
    const refused = made.find(({ status }) => status === 409) as Json;
    expectError(refused, 409, 'conflict', { field: '', constraint: 'limit' });
    expect(refused.body.error.message).toContain(`at most ${most} ${what}`);
    const { id } = made.find(({ status }) => status === 201)?.body;
    const isArchived = taken === 'archived';
    expect(refused.body.error.message).toContain(isArchived ? 'Archive unused' : 'Remove unused');
    const [method, last, status] = isArchived ? (['POST', '/archive', 200] as const) : (['DELETE', '', 204] as const);
    expect((await gateway.send(method, `${path}/${id}${last}`, undefined, { key })).status).toBe(status);
    expect((await make(99)).status).toBe(201);
    expect((await make(100)).status).toBe(409);
    if (!isArchived) return;
    const back = await gateway.send('POST', `${path}/${id}/unarchive`, undefined, { key });
    expectError(back, 409, 'conflict', { field: '', constraint: 'limit' });
  });
});

it('an outgoing integration does not count as an inbound one', async () => {
  const tenantId = await gateway.test.createTenant();
  const key = await gateway.makeKey(['integrations:write'], { tenantId });
  const make = (body: object) => gateway.send('POST', '/v1/integrations', JSON.stringify(body), { key });
  for (let n = 0; n < most; n += 1)
    expect((await make({ type: 'github', org_name: `o${n}`, secret: 'a secret of the host' })).status).toBe(201);
  expect((await make({ type: 'github', org_name: 'more', secret: 'a secret of the host' })).status).toBe(409);
  const slack = { type: 'slack', workspace_name: 'acme', channels: [], webhook_url: 'https://hooks.example.com/x' };
  expect((await make(slack)).status).toBe(201);
});
