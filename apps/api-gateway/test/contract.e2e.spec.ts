import { events } from '@eas/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { schemaErrors } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { baseUrl, type Json, useGateway } from './gateway.ts';
import { openScene } from './leases/scene.ts';
import { useThings } from './routes.ts';

const gateway = useGateway();
const { pathOf } = useThings(gateway);
let document: Json;
beforeAll(async () => {
  document = (await gateway.get('/v1/openapi.json', { key: null })).body;
});

const ofTheAgent = ['/v1/agents/me', '/v1/agents/me/leases'];

describe('/v1/openapi.json', () => {
  it('is valid OpenAPI 3.1 by another’s validator', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect([validator.version, document.openapi, document.servers]).toEqual([
      '3.1',
      '3.1.0',
      [{ url: baseUrl, description: 'This service' }],
    ]);
    const broken = structuredClone(document);
    delete broken.info;
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('has a different operationId for each operation, an example for each documented 4xx', () => {
    const operations = Object.values<Json>(document.paths).flatMap((path) => Object.values<Json>(path));
    const operationIds = operations.map(({ operationId }) => operationId);
    expect(new Set(operationIds).size).toBe(operationIds.length);
    for (const { operationId, responses } of operations)
      for (const [status, response] of Object.entries<Json>(responses))
        if (status.startsWith('4')) {
          const content = found(response).content;
          if (content['text/html']) continue;
          const { examples = {} } = content['application/json'];
          expect([operationId, status, Object.keys(examples).length]).not.toContain(0);
        }
  });

  it('describes every public event as a webhook', () => {
    const published = Object.entries(events).filter(([, { visibility }]) => visibility === 'public');
    expect(Object.keys(document.webhooks).toSorted()).toEqual(published.map(([type]) => type).toSorted());
  });

  it('describes the real responses, by another’s JSON Schema validator', async () => {
    // Authorization is for browsers: it responds with pages.
    const reads = Object.keys(document.paths).filter((path) => document.paths[path].get && path !== '/oauth/authorize');
    for (const path of reads) {
      const filled = pathOf({ path });
      const result = await gateway.get(filled);
      // Who comes with a key has no session; the key is no agent's.
      const belongsToNobody = ['/admin/api/session', ...ofTheAgent].includes(path);
      expect([path, result.status]).toEqual([path, belongsToNobody ? 404 : 200]);
      expectFits(path, 'get', result);
      expectFits(path, 'get', await gateway.get(filled, { key: null }));
      expectFits(path, 'get', await gateway.get(`${filled}?nonsense=1`));
    }
    await gateway.make('/v1/tasks', { title: 't', description: 'd' });
    const claims = '/v1/agents/{agent_id}/claims';
    expectFits(claims, 'post', await gateway.post(pathOf({ path: claims }), {}));
    expectFits('/v1/tasks', 'post', await gateway.post('/v1/tasks', { title: '' }));
  });

  it('describes what an agent sees of itself, also while a lease waits for a person, and a claim too many', async () => {
    const { key, begin, call, claim } = await openScene(gateway);
    const { lease } = await begin();
    await call(lease, 'inputs', { kind: 'question', prompt: 'Which?' });
    await begin();
    for (const path of ofTheAgent) {
      const result = await gateway.get(path, { key });
      expect([result.body.leases.length, result.body.leases[1].lease.expires_at]).toEqual([2, null]);
      expectFits(path, 'get', result);
    }
    const refused = await claim();
    expect([refused.status, refused.body.error.leases.length]).toEqual([409, 1]);
    expectFits('/v1/agents/{agent_id}/claims', 'post', refused);
  });
});

/** The target of a reference in the document. */
const found = (part: Json): Json =>
  part.$ref
    ? part.$ref
        .split('/')
        .slice(1)
        .reduce((at: Json, name: string) => at[name], document)
    : part;

/** The response fits the schema that the document gives for its status. */
function expectFits(path: string, method: string, { status, body }: { status: number; body: Json }): void {
  const content = found(document.paths[path][method].responses[status] ?? {}).content;
  if (content?.['text/event-stream'] ?? content?.['text/csv']) return;
  const schema = content?.['application/json'].schema;
  if (!schema) throw new Error(`${method} ${path}: ${status} is not documented`);
  expect([path, status, schemaErrors(document, schema, body)]).toEqual([path, status, []]);
}
