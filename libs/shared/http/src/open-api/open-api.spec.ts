import { listQuery, listResponse } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { printOpenApi } from './open-api.ts';
import { defineRoute } from '../route.ts';

const note = z.object({ id: z.string().max(64), title: z.string().min(1).max(10) });
const routes = [
  defineRoute({
    method: 'GET',
    path: '/v1/notes',
    summary: 'List notes',
    tags: ['Notes'],
    access: { scope: 'tasks:read' },
    query: listQuery({ sortable: ['created_at', 'title'], filters: { title: z.string().max(10) } }),
    responses: { 200: { description: 'A page', schema: listResponse(note) } },
    errors: [],
    handler: async () => ({ status: 200, body: { data: [], metadata: { total: 0, limit: 20, offset: 0 } } }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/notes/{note_id}/retry',
    summary: 'Retry',
    tags: ['Notes'],
    access: { scope: 'tasks:write' },
    params: z.object({ note_id: z.string().max(64) }),
    body: note,
    responses: { 201: { description: 'The note', schema: note, headers: { Location: 'Its address.' } } },
    errors: [],
    handler: async () => ({ status: 201, body: { id: 'a', title: 'b' } }),
  }),
  defineRoute({
    method: 'POST',
    path: '/webhook/notes',
    summary: 'Receive',
    tags: ['Receivers'],
    access: { signature: true },
    responses: { 200: { description: 'Taken', schema: z.object({ ok: z.boolean() }) } },
    errors: ['invalid_request', 'forbidden'],
    handler: async () => ({ status: 200, body: { ok: true } }),
  }),
];
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document is walked freely here
const printed = JSON.parse(JSON.stringify(printOpenApi(routes, { title: 'Notes', version: '1.0.0' }))) as any;

describe('the printed OpenAPI document', () => {
  it('has every route with its bounds and the schemes that open it', () => {
    const list = printed.paths['/v1/notes'].get;
    expect(list.security).toEqual([{ apiKey: [] }]);
    expect(printed.components.securitySchemes.apiKey).toMatchObject({ in: 'header', name: 'X-API-Key' });
    const limit = list.parameters.find(({ name }: { name: string }) => name === 'limit');
    expect(limit).toMatchObject({ required: false, schema: { type: 'integer', minimum: 1, maximum: 100 } });
    const title = list.parameters.find(({ name }: { name: string }) => name === 'title');
    expect(title.required).toBe(false);
  });

  it('gives an example for every documented 4xx', () => {
    for (const path of Object.values(printed.paths) as Record<string, { responses: object }>[])
      for (const { responses } of Object.values(path))
        for (const [status, answer] of Object.entries(responses))
          if (status.startsWith('4'))
            expect(Object.keys(answer.content['application/json'].examples)).not.toHaveLength(0);
    const { responses } = printed.paths['/v1/notes/{note_id}/retry'].post;
    expect(Object.keys(responses)).toEqual(['201', '400', '401', '403', '404', '409', '413', '415', '429', '500']);
    expect(responses['201'].headers.Location.description).toBe('Its address.');
  });

  it('tells receivers’ errors from the others', () => {
    const { responses, security } = printed.paths['/webhook/notes'].post;
    expect(security).toEqual([]);
    expect(responses['403'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/ReceiverError' });
  });

  it('describes each public event as a webhook and no internal one', () => {
    expect(printed.webhooks['task.created'].post.requestBody).toBeDefined();
    expect(Object.keys(printed.webhooks).some((type) => type.startsWith('inbound.'))).toBe(false);
  });
});
