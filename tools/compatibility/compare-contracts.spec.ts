import { describe, expect, it } from '@jest/globals';
import { nameOf } from './breaks.ts';
import { compareContracts } from './compare-contracts.ts';
import type { OpenApi } from './document.ts';
import { type Contract, published } from './published.fixture.ts';

type Change = (contract: Contract) => void;

/** The breaks of a change, as `kind location: what`. */
function breaksOf(change: Change): string[] {
  const current = published();
  change(current);
  return compareContracts(published() as OpenApi, current as OpenApi).map((found) => `${found.kind} ${nameOf(found)}`);
}

const update = 'PATCH /v1/tasks/{task_id}';
const body = `${update}, request body`;
type Patch = {
  operationId?: string;
  tags: string[];
  security: object[];
  parameters: Record<string, unknown>[];
  requestBody: { required: boolean; content: Record<string, unknown> };
  responses: Record<string, { headers: Record<string, object>; content: Record<string, unknown> }>;
};
const patchOf = (contract: Contract): Patch => contract.paths['/v1/tasks/{task_id}']?.['patch'] as Patch;
const fieldsOf = (contract: Contract, schema: string): Record<string, Record<string, unknown>> =>
  contract.components.schemas[schema]?.['properties'] as never;
/** Sets keywords of a field of a named schema. */
const setField = (schema: string, field: string, keywords: object): Change => {
  return (contract) => void (fieldsOf(contract, schema)[field] = { ...fieldsOf(contract, schema)[field], ...keywords });
};
const setSchema = (schema: string, keywords: object): Change => {
  return ({ components: { schemas } }) => void (schemas[schema] = { ...schemas[schema], ...keywords });
};
const removeField = (schema: string, field: string): Change => {
  return (contract) => void delete fieldsOf(contract, schema)[field];
};

const operations: [string, Change, string[]][] = [
  [
    'an operation is removed',
    (contract) => void delete contract.paths['/v1/tasks/{task_id}'],
    [`operation ${update}: it was removed, or its path or method changed`],
  ],
  [
    'a webhook is removed',
    (contract) => void delete contract.webhooks['task.created'],
    ['operation webhook task.created: it was removed, or its path or method changed'],
  ],
  [
    'an operation id changes',
    (contract) => void (patchOf(contract).operationId = 'changeTask'),
    [`name ${update}: operationId changed from updateTask to changeTask`],
  ],
  [
    'a tag changes',
    (contract) => void (patchOf(contract).tags = ['Work']),
    [`name ${update}: the first tag changed from Tasks to Work`],
  ],
  [
    'a schema is renamed',
    ({ components: { schemas } }) => {
      schemas['Urgency'] = published().components.schemas['Priority'] ?? {};
      delete schemas['Priority'];
      for (const name of ['Task', 'TaskUpdate'])
        (schemas[name]?.['properties'] as Record<string, object>)['priority'] = {
          $ref: '#/components/schemas/Urgency',
        };
    },
    ['name schema Priority: it was removed or renamed'],
  ],
  [
    'a status is replaced by another',
    (contract) => {
      const { 200: ok, ...rest } = patchOf(contract).responses;
      patchOf(contract).responses = { ...rest, 202: ok as never };
    },
    [`status ${update}: the status 200 was removed`, `status ${update}: the success status 202 is new`],
  ],
  [
    'an error status is removed',
    (contract) => void delete patchOf(contract).responses['404'],
    [`status ${update}: the status 404 was removed`],
  ],
  [
    'another scope is needed',
    (contract) => void (patchOf(contract).security = [{ apiKey: [] }, { oauth2: ['tasks:write', 'admin'] }]),
    [`security ${update}: oauth2 with tasks:write is no longer enough`],
  ],
  [
    'a key is no longer accepted',
    (contract) => void (patchOf(contract).security = [{ oauth2: ['tasks:write'] }]),
    [`security ${update}: apiKey is no longer enough`],
  ],
  [
    'a key is sent in another header',
    ({ components }) => void (components.securitySchemes.apiKey.name = 'X-Key'),
    ['security security scheme apiKey: it changed'],
  ],
  [
    'a scope is removed',
    ({ components: { securitySchemes } }) => void (securitySchemes.oauth2.flows.authorizationCode.scopes = {} as never),
    ['security security scheme oauth2: it changed'],
  ],
];

const requests: [string, Change, string[]][] = [
  [
    'a parameter is removed',
    (contract) => void patchOf(contract).parameters.pop(),
    [`request ${update}, query parameter dry_run: it was removed or renamed`],
  ],
  [
    'a parameter becomes required',
    (contract) =>
      void (patchOf(contract).parameters[0] = { name: 'if-match', in: 'header', required: true, schema: {} }),
    [`request ${update}, header parameter if-match: it is required now`],
  ],
  [
    'a required parameter is new',
    (contract) => void patchOf(contract).parameters.push({ name: 'why', in: 'query', required: true, schema: {} }),
    [`request ${update}, query parameter why: it is new and required`],
  ],
  [
    'a default changes',
    (contract) =>
      void (patchOf(contract).parameters[1] = { name: 'dry_run', in: 'query', schema: { type: 'boolean' } }),
    [`request ${update}, query parameter dry_run: default changed from false to none`],
  ],
  [
    'the body becomes required',
    (contract) => void (patchOf(contract).requestBody.required = true),
    [`request ${body}: it is required now`],
  ],
  [
    'a media type is removed',
    (contract) => void (patchOf(contract).requestBody.content = { 'text/plain': {} }),
    [`request ${body}: the media type application/json was removed`],
  ],
  [
    'a field is removed',
    removeField('TaskUpdate', 'note'),
    [`request ${body}, TaskUpdate: the field note was removed or renamed`],
  ],
  [
    'a field is required',
    setSchema('TaskUpdate', { required: ['title', 'note'] }),
    [`request ${body}, TaskUpdate: the field note is required now`],
  ],
  [
    'a type is narrowed',
    setField('TaskUpdate', 'note', { type: 'string' }),
    [`request ${body}, TaskUpdate.note: null is no longer accepted`],
  ],
  [
    'numbers become integers',
    setField('TaskUpdate', 'percent', { type: 'integer' }),
    [`request ${body}, TaskUpdate.percent: number is no longer accepted`],
  ],
  [
    'a text becomes a closed list',
    setField('TaskUpdate', 'title', { enum: ['a'] }),
    [`request ${body}, TaskUpdate.title: only "a" is accepted now`],
  ],
  [
    'bounds are narrowed',
    setField('TaskUpdate', 'title', { minLength: 2, maxLength: 100 }),
    [
      `request ${body}, TaskUpdate.title: minLength changed from 1 to 2`,
      `request ${body}, TaskUpdate.title: maxLength changed from 200 to 100`,
    ],
  ],
  [
    'a pattern is added',
    setField('TaskUpdate', 'title', { pattern: '^a' }),
    [`request ${body}, TaskUpdate.title: pattern was added`],
  ],
  [
    'a field is ignored',
    setField('TaskUpdate', 'note', { readOnly: true }),
    [`request ${body}, TaskUpdate.note: it is ignored now (readOnly)`],
  ],
  [
    'one alternative is narrowed',
    setField('TaskUpdate', 'target', { oneOf: [{ type: 'string' }, { type: 'array', items: {}, maxItems: 4 }] }),
    [`request ${body}, TaskUpdate.target: maxItems changed from 5 to 4`],
  ],
  [
    'an alternative is removed',
    setField('TaskUpdate', 'target', { oneOf: [{ type: 'string' }] }),
    [`request ${body}, TaskUpdate.target: alternative 2 of 2 is no longer accepted`],
  ],
  [
    'a keyword comes that cannot be judged',
    setField('TaskUpdate', 'title', { dependentRequired: {} }),
    [
      `request ${body}, TaskUpdate.title: dependentRequired changed, and tools/compatibility/schema-rules.ts cannot judge that keyword`,
    ],
  ],
];

const responses: [string, Change, string[]][] = [
  [
    'a field is removed or renamed, wherever its schema is used',
    removeField('Task', 'due_date'),
    [
      `response ${update}, 200, Task: the field due_date was removed or renamed`,
      'response webhook task.created, payload, TaskEvent: the field due_date was removed or renamed',
    ],
  ],
  [
    'a field can be missing',
    setSchema('Task', { required: ['id'] }),
    [
      `response ${update}, 200, Task: the field title can now be missing`,
      'response webhook task.created, payload, TaskEvent: the field title can now be missing',
    ],
  ],
  [
    'a type is widened',
    setField('Task', 'title', { type: ['string', 'null'] }),
    [`response ${update}, 200, Task.title: it can now be null`],
  ],
  [
    'a type changes',
    setField('Task', 'labels', { additionalProperties: { type: 'integer' } }),
    [`response ${update}, 200, Task.labels.*: it can now be integer`],
  ],
  [
    'a format changes',
    setField('Task', 'due_date', { format: 'date' }),
    [`response ${update}, 200, Task.due_date: format changed from date-time to date`],
  ],
  [
    'a closed list grows that only clients read',
    setField('Task', 'priority', { $ref: undefined, type: 'string', enum: ['low', 'high', 'urgent'] }),
    [`response ${update}, 200, Priority: it can now be "urgent", and the list was not documented as open`],
  ],
  [
    'an alternative is new',
    setField('Task', 'last', { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }),
    [`response ${update}, 200, Task.last: alternative 3 of 3 is new`],
  ],
  [
    'a header is removed',
    (contract) => void (patchOf(contract).responses['200']!.headers = {}),
    [`response ${update}, 200, header ETag: it was removed or renamed`],
  ],
  [
    'a header of a webhook can be missing',
    ({ webhooks }) => {
      const { post } = webhooks['task.created'] as { post: { parameters: { required: boolean }[] } };
      post.parameters[0]!.required = false;
    },
    ['response webhook task.created, header parameter webhook-id: it can now be missing'],
  ],
];

const allowed: [string, Change][] = [
  ['nothing changes', () => undefined],
  ['a path is new', (contract) => void (contract.paths['/v1/new'] = { get: {} })],
  ['an error status is new', (contract) => void (patchOf(contract).responses['409'] = {} as never)],
  ['a way to authenticate is new', (contract) => void patchOf(contract).security.push({ session: [] })],
  [
    'a scope is new, or explained in other words',
    ({ components: { securitySchemes } }) =>
      void (securitySchemes.oauth2.flows.authorizationCode.scopes = {
        'tasks:read': 'Read tasks and projects.',
        'projects:write': 'Change projects.',
      } as never),
  ],
  ['no credential is needed', (contract) => void (patchOf(contract).security = [])],
  ['an optional parameter is new', (contract) => void patchOf(contract).parameters.push({ name: 'a', in: 'query' })],
  ['an optional field is new', setField('TaskUpdate', 'extra', { type: 'string' })],
  ['a field is read as well', setField('Task', 'extra', { type: 'string' })],
  ['a field is always there', setSchema('Task', { required: ['id', 'title', 'last'] })],
  ['a field need not be sent', setSchema('TaskUpdate', { required: [] })],
  ['unknown fields are accepted', setSchema('TaskUpdate', { additionalProperties: true })],
  ['bounds of what is sent are widened', setField('TaskUpdate', 'title', { minLength: 0, maxLength: 500 })],
  ['bounds of what is read are widened', setField('Task', 'title', { maxLength: 500 })],
  ['a documented open list grows', setSchema('Role', { enum: ['rd', 'qa', 'pm'] })],
  ['what is ignored changes', setField('TaskUpdate', 'id', { type: 'string' })],
  ['alternatives change their order', setField('Task', 'last', { anyOf: [{ type: 'integer' }, { type: 'string' }] })],
  ['texts change', setSchema('Priority', { description: 'How soon.', example: 'low' })],
  ['a schema is written out in place', setField('Task', 'priority', { $ref: undefined, enum: ['low', 'high'] })],
];

describe('compareContracts', () => {
  it.each(operations)('refuses operations when %s', (_, change, expected) =>
    expect(breaksOf(change)).toEqual(expected),
  );
  it.each(requests)('refuses requests when %s', (_, change, expected) => expect(breaksOf(change)).toEqual(expected));
  it.each(responses)('refuses responses when %s', (_, change, expected) => expect(breaksOf(change)).toEqual(expected));
  it.each(allowed)('allows that %s', (_, change) => expect(breaksOf(change)).toEqual([]));

  it('reports a named schema that is sent and read for both', () => {
    expect(breaksOf(setSchema('Priority', { enum: ['low', 'urgent'] }))).toEqual([
      `request ${body}, Priority: "high" is no longer accepted`,
      `response ${update}, 200, Priority: it can now be "urgent", and the list was not documented as open`,
    ]);
  });

  it('names a reference that leads to nothing', () => {
    const wrong: Change = setField('Task', 'priority', { $ref: '#/components/schemas/None' });
    expect(() => breaksOf(wrong)).toThrow('#/components/schemas/None');
  });
});
