// A small published contract that has something of everything; specs change a copy of it.
export const published = () => ({
  security: [] as object[],
  paths: {
    '/v1/tasks/{task_id}': {
      parameters: [{ name: 'task_id', in: 'path', required: true, schema: { type: 'string', maxLength: 64 } }],
      patch: {
        operationId: 'updateTask',
        tags: ['Tasks'],
        security: [{ apiKey: [] }, { oauth2: ['tasks:write'] }] as object[],
        parameters: [
          { name: 'If-Match', in: 'header', schema: { type: 'string' } },
          { name: 'dry_run', in: 'query', schema: { type: 'boolean', default: false } },
        ] as object[],
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/TaskUpdate' } } },
        },
        responses: {
          '200': {
            headers: { ETag: { $ref: '#/components/headers/ETag' } } as Record<string, object>,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Task' } } },
          },
          '404': { $ref: '#/components/responses/NotFound' },
        } as Record<string, object>,
      },
    },
  } as Record<string, Record<string, object>>,
  webhooks: {
    'task.created': {
      post: {
        operationId: 'onTaskCreated',
        parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }] as object[],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/TaskEvent' } } } },
        responses: { '2XX': {} },
      },
    },
  } as Record<string, object>,
  components: {
    headers: { ETag: { required: true, schema: { type: 'string' } } },
    responses: { NotFound: { content: { 'application/json': { schema: { type: 'object' } } } } },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key.' },
      oauth2: { type: 'oauth2', flows: { authorizationCode: { scopes: { 'tasks:read': 'Read tasks.' } } } },
    },
    schemas: {
      Priority: { type: 'string', enum: ['low', 'high'] },
      Role: { type: 'string', enum: ['rd', 'qa'], description: 'A role. New values can be added.' },
      TaskUpdate: {
        type: 'object',
        additionalProperties: false,
        required: ['title'],
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 200 },
          note: { type: ['string', 'null'] },
          percent: { type: 'number', minimum: 0, maximum: 100 },
          priority: { $ref: '#/components/schemas/Priority' },
          target: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 5 }] },
          id: { readOnly: true },
        },
      },
      Task: {
        type: 'object',
        required: ['id', 'title'],
        properties: {
          id: { type: 'string', maxLength: 64 },
          title: { type: 'string', maxLength: 200 },
          due_date: { type: 'string', format: 'date-time' },
          priority: { $ref: '#/components/schemas/Priority' },
          role: { $ref: '#/components/schemas/Role' },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Task' } },
          last: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        },
      },
      TaskEvent: { allOf: [{ $ref: '#/components/schemas/Task' }, { type: 'object', required: ['last'] }] },
    } as Record<string, Record<string, unknown>>,
  },
});

export type Contract = ReturnType<typeof published>;
