import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { printSchema } from './json-schema.ts';

describe('the schema of a union', () => {
  const remote = z.object({ type: z.enum(['http', 'sse']) }).meta({ id: 'Remote' });
  const local = z.object({ type: z.literal('stdio') }).meta({ id: 'Local' });

  it('leads from each word of its discriminator to its option', () => {
    const [remotely, locally] = ['#/components/schemas/Remote', '#/components/schemas/Local'];
    expect(printSchema(z.discriminatedUnion('type', [remote, local])).schema.discriminator).toEqual({
      propertyName: 'type',
      mapping: { http: remotely, sse: remotely, stdio: locally },
    });
  });
});
