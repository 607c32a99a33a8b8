import { describe, expect, it } from '@jest/globals';
import { documentForSpecmatic } from './specmatic-document.ts';

const parameter = (name: string, location: string) => ({ name, in: location, schema: { type: 'string' } });
const schema = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' }, note: { type: 'string' }, assigned_agent: { type: 'string' } },
};
const document = {
  webhooks: {},
  components: { schemas: { Change: schema }, parameters: { TaskId: parameter('task_id', 'path') } },
  paths: {
    '/v1/tasks/{task_id}': {
      patch: {
        parameters: [
          { $ref: '#/components/parameters/TaskId' },
          parameter('If-Match', 'header'),
          parameter('after', 'query'),
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } } },
      },
      delete: {},
    },
    '/v1/leases/{lease_id}/complete': { post: {} },
  },
};

describe('documentForSpecmatic', () => {
  it('puts real ids in paths, and leaves out what no schema can say', () => {
    const { paths } = documentForSpecmatic(document, { task_id: 'tsk_1' });
    expect(Object.keys(paths)).toEqual(['/v1/tasks/{task_id}']);
    expect(Object.keys(paths['/v1/tasks/{task_id}'] ?? {})).toEqual(['patch']);
    const patch = paths['/v1/tasks/{task_id}']?.['patch'];
    expect(patch?.parameters).toEqual([{ name: 'task_id', in: 'path', schema: { type: 'string', enum: ['tsk_1'] } }]);
    expect(patch?.requestBody?.content['application/json']?.schema.properties).toEqual({
      title: { type: 'string' },
      note: { type: ['string', 'null'] },
    });
  });

  it('refuses a parameter that it has no value for', () => {
    expect(() => documentForSpecmatic(document, {})).toThrow('task_id');
  });
});
