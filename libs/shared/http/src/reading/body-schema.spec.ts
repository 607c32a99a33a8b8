import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { bodyReader } from './body-schema.ts';

const item = z.strictObject({ url: z.string(), text: z.string().optional() });
const schema = z.object({
  links: z.array(item).optional(),
  marks: z.record(z.string(), z.strictObject({ by: z.string().optional() })).optional(),
  one: item.nullable().optional(),
});

describe('null in an optional field', () => {
  it('is absent, also inside the items of lists and records', () => {
    const read = bodyReader(schema, { readOnly: [], isPatch: false });
    const body = { links: [{ url: 'u', text: null }], marks: { good: { by: null } }, one: { url: 'u', text: null } };
    expect(read(body)).toEqual({ links: [{ url: 'u' }], marks: { good: {} }, one: { url: 'u' } });
  });

  it('in a patch clears the field, and is absent inside items of a list, which is replaced as a whole', () => {
    const read = bodyReader(schema, { readOnly: [], isPatch: true });
    expect(read({ links: [{ url: 'u', text: null }], one: null })).toEqual({ links: [{ url: 'u' }], one: null });
    expect(() => read({ marks: { good: { by: null } } })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
