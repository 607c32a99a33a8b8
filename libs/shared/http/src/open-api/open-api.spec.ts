import { listQuery, listResponse, scopes } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { printOpenApi } from './open-api.ts';
import { defineRoute, type Route } from '../routes/route.ts';

const note = z.object({ id: z.string().max(64), title: z.string().min(1).max(10) }).meta({ id: 'Note' });
const routes = [
  defineRoute({
    method: 'GET',
    path: '/v1/notes',
    operationId: 'listNotes',
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
    operationId: 'retryNote',
    summary: 'Retry',
    tags: ['Notes'],
    access: { scope: 'tasks:write' },
    params: z.object({ note_id: z.string().max(64) }),
    body: z.object(note.shape).meta({ id: 'CreateNote' }),
    responses: {
      201: {
        description: 'The note',
        schema: note,
        headers: { Location: 'Its address.', 'X-Total': 'How many there are.' },
      },
    },
    errors: [],
    handler: async () => ({ status: 201, body: { id: 'a', title: 'b' } }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/notes/{note_id}',
    operationId: 'getNote',
    summary: 'Read a note',
    tags: ['Notes'],
    access: { scope: 'tasks:read' },
    params: z.object({ note_id: z.string().max(64) }),
    isVersioned: true,
    deprecation: { since: new Date(0), sunset: new Date(1), link: 'https://example.com' },
    responses: { 200: { description: 'The note', schema: note } },
    errors: [],
    handler: async () => ({ status: 200, body: { id: 'a', title: 'b' }, version: 1 }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/notes/{note_id}',
    operationId: 'changeNote',
    summary: 'Change a note',
    tags: ['Notes'],
    access: { scope: 'tasks:write' },
    params: z.object({ note_id: z.string().max(64) }),
    body: note.partial(),
    isVersioned: true,
    responses: { 200: { description: 'The note', schema: note } },
    errors: [],
    handler: async () => ({ status: 200, body: { id: 'a', title: 'b' }, version: 1 }),
  }),
  defineRoute({
    method: 'GET',
    path: '/notes',
    summary: 'The page of notes',
    tags: ['Pages'],
    access: { session: [] },
    responses: { 200: { description: 'The page', html: true } },
    errors: [],
    handler: async () => ({ status: 200, body: '<p>' }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/hidden',
    summary: 'Not documented',
    tags: ['Hidden'],
    access: 'public',
    isDocumented: false,
    responses: { 204: { description: 'Nothing' } },
    errors: [],
    handler: async () => ({ status: 204 }),
  }),
  defineRoute({
    method: 'POST',
    path: '/webhook/notes',
    operationId: 'receiveNote',
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

/** The target of a reference. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document is walked freely here
const found = (part: any) => {
  const names: string[] = part.$ref?.split('/').slice(1) ?? [];
  return names.length > 0 ? names.reduce((at, name) => at[name], printed) : part;
};

describe('the printed OpenAPI document', () => {
  it('has every route with its bounds and the schemes that open it', () => {
    const list = printed.paths['/v1/notes'].get;
    expect(list.security).toEqual([{ apiKey: [] }, { oauth2: ['tasks:read'] }]);
    const { apiKey, oauth2 } = printed.components.securitySchemes;
    expect(apiKey).toMatchObject({ in: 'header', name: 'X-API-Key' });
    expect(Object.keys(oauth2.flows.authorizationCode.scopes)).toEqual([...scopes]);
    const parameters = list.parameters.map(found);
    const limit = parameters.find(({ name }: { name: string }) => name === 'limit');
    expect(limit).toMatchObject({ schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } });
    const title = parameters.find(({ name }: { name: string }) => name === 'title');
    expect([limit.required, title.required]).toEqual([undefined, undefined]);
  });

  it('gives an example for every documented 4xx', () => {
    for (const path of Object.values(printed.paths) as Record<string, { responses: object }>[])
      for (const { responses } of Object.values(path))
        for (const [status, response] of Object.entries(responses))
          if (status.startsWith('4'))
            expect(Object.keys(found(response).content['application/json'].examples)).not.toHaveLength(0);
    const { responses } = printed.paths['/v1/notes/{note_id}/retry'].post;
    expect(Object.keys(responses)).toEqual(['201', '400', '401', '403', '404', '409', '413', '415', '429', '500']);
    expect(responses['201'].headers.Location).toEqual({ $ref: '#/components/headers/Location' });
    expect(responses['201'].headers['X-Total'].description).toBe('How many there are.');
    expect(found(responses['429']).headers['Retry-After']).toEqual({ $ref: '#/components/headers/Retry-After' });
    expect(found(responses['401']).headers).not.toHaveProperty('X-RateLimit-Limit');
  });

  it('asks for If-Match and documents the ETag where a resource has versions', () => {
    const { get, patch } = printed.paths['/v1/notes/{note_id}'];
    expect([get, patch].map(({ responses }) => responses['200'].headers.ETag.$ref)).toEqual(
      Array(2).fill('#/components/headers/ETag'),
    );
    const takesIfMatch = ({ parameters }: { parameters: object[] }) =>
      parameters.map(found).some(({ name }) => name === 'If-Match');
    expect([get, patch].map(takesIfMatch)).toEqual([false, true]);
    expect(found(patch.responses['412']).content['application/json'].examples).toBeDefined();
    expect(Object.keys(patch.requestBody.content)).toEqual(['application/json', 'application/merge-patch+json']);
  });

  it('marks what is deprecated and leaves out pages and what is not documented', () => {
    const { get } = printed.paths['/v1/notes/{note_id}'];
    expect(get.deprecated).toBe(true);
    expect(Object.keys(get.responses['200'].headers)).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
    );
    expect(Object.keys(printed.paths)).not.toContain('/notes');
    expect(Object.keys(printed.paths)).not.toContain('/v1/hidden');
    expect(printed.tags.map(({ name }: { name: string }) => name)).toEqual(['Notes', 'Receivers', 'Webhook events']);
  });

  it('distinguishes receivers’ errors from the others', () => {
    const { responses, security } = printed.paths['/webhook/notes'].post;
    expect(security).toEqual([]);
    expect(responses['403'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/ReceiverError' });
  });

  it('names schemas, and has what several operations share once', () => {
    const { get, patch } = printed.paths['/v1/notes/{note_id}'];
    expect(get.parameters).toEqual([{ $ref: '#/components/parameters/NoteId' }]);
    expect(patch.responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
    const { schema } = get.responses['200'].content['application/json'];
    expect(schema).toEqual({ $ref: '#/components/schemas/Note' });
    expect(Object.keys(printed.components.schemas)).toEqual(
      expect.arrayContaining(['NotePage', 'NoteOffsetPage', 'NoteCursorPage', 'TaskCreatedEvent', 'Error']),
    );
  });

  it('refuses an operation without a name, and two of one name', () => {
    const [list, retry] = routes as [Route, Route];
    const print = (...some: Route[]) => printOpenApi(some, { title: 't', version: '1' });
    expect(() => print({ ...list, operationId: undefined })).toThrow('GET /v1/notes needs an operationId');
    expect(() => print(list, { ...retry, operationId: 'listNotes' })).toThrow('listNotes is used twice');
  });

  it('has tags of their own for what is received: generators make one class of each tag', () => {
    const tagsOf = (items: object) =>
      Object.values(items).flatMap((item: Record<string, { tags?: string[] }>) =>
        Object.values(item).flatMap(({ tags = [] }) => tags),
      );
    const served = new Set(tagsOf(printed.paths));
    expect(tagsOf(printed.webhooks).filter((tag) => served.has(tag))).toEqual([]);
    expect(new Set(tagsOf(printed.webhooks)).size).toBe(1);
  });

  it('prints operations in the order of the tags', () => {
    const { tags, paths } = printOpenApi(routes, { title: 't', version: '1', tags: { Receivers: 'r', Notes: 'n' } });
    expect(tags.map(({ name }) => name)).toEqual(['Receivers', 'Notes', 'Webhook events']);
    expect(Object.keys(paths)[0]).toBe('/webhook/notes');
  });

  it('describes each public event as a webhook and no internal one', () => {
    expect(printed.webhooks['task.created'].post.requestBody).toBeDefined();
    expect(Object.keys(printed.webhooks).some((type) => type.startsWith('inbound.'))).toBe(false);
  });
});
