import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Components } from './components.ts';

describe('components of the document', () => {
  it.each(['limit', 'LIMIT', 'li_mit', 'Li-mit'])('are not named %s where one is named Limit', (name) => {
    const components = new Components();
    components.add('parameters', 'Limit', { in: 'query' });
    expect(components.tryAdd('parameters', name, { in: 'path' })).toBeUndefined();
    expect(() => components.add('parameters', name, { in: 'path' })).toThrow(
      `two parameters are named ${name}, or differ in case and separators alone`,
    );
    expect(components.tryAdd('headers', name, { in: 'path' })).toEqual({ $ref: `#/components/headers/${name}` });
  });

  it('repeat only the nullable properties of a base, since generators lose these', () => {
    const components = new Components();
    const shape = { id: z.string(), due: z.string().nullable() };
    const base = z.object(shape).meta({ id: 'SpecBase', description: 'A base.' });
    const more = z.object({ ...shape, more: z.int() }).meta({ id: 'SpecMore', base: 'SpecBase', description: 'More.' });
    for (const schema of [base, more]) components.schemaOf(schema);
    const { SpecMore } = components.toObject()['schemas'] as Record<string, { allOf: { properties?: object }[] }>;
    expect(Object.keys(SpecMore?.allOf[1]?.properties ?? {})).toEqual(['due', 'more']);
  });
});
