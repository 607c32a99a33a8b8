import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineRoute } from './route.ts';

const base = {
  method: 'GET',
  summary: 'Read',
  tags: ['Notes'],
  access: 'public',
  errors: [],
} as const;
const note = z.object({ id: z.string(), tags: z.array(z.string()) });

describe('defineRoute', () => {
  it('takes the documented answers', () => {
    const route = defineRoute({
      ...base,
      tags: ['Notes'],
      path: '/notes',
      responses: { 200: { description: 'Notes', schema: note }, 204: { description: 'None' } },
      handler: async () => (Math.random() < 0.5 ? { status: 200, body: { id: 'a', tags: ['b'] } } : { status: 204 }),
    });
    expect(route.path).toBe('/notes');
  });

  it('does not compile with an answer that is not documented', () => {
    defineRoute({
      ...base,
      tags: ['Notes'],
      path: '/notes',
      responses: { 200: { description: 'Notes', schema: note } },
      // @ts-expect-error the status is not documented
      handler: async () => ({ status: 201, body: { id: 'a', tags: [] } }),
    });
    defineRoute({
      ...base,
      tags: ['Notes'],
      path: '/notes',
      responses: { 200: { description: 'Notes', schema: note } },
      // @ts-expect-error the body lacks its tags
      handler: async () => ({ status: 200, body: { id: 'a' } }),
    });
    expect.assertions(0);
  });

  it('throws at boot when path and params contradict', () => {
    const define = () =>
      defineRoute({
        ...base,
        tags: ['Notes'],
        path: '/notes/{note_id}',
        responses: { 204: { description: 'None' } },
        handler: async () => ({ status: 204 }),
      });
    expect(define).toThrow('params do not fit');
  });
});
