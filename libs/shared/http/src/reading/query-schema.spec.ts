import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { queryReader } from './query-schema.ts';

describe('a query', () => {
  it('with an unknown name is refused, except tracking parameters', () => {
    const read = queryReader(z.object({ limit: z.string().optional() }));
    expect(read('limit=1&utm_source=x&_x=1')).toEqual({ limit: '1' });
    expect(() => read('limit=1&status=open')).toThrow(/status/);
  });

  it('of a loose schema may have any name, for the script of a page', () => {
    expect(queryReader(z.looseObject({}))('status=open&status=new&x')).toEqual({});
  });
});
