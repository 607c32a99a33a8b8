import { AppError } from '@eas/core';
import { leastHoldMs, maxHoldMs, worstJsonBodies } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { bodyReader } from './body-schema.ts';
import { parseJsonBody } from './json-body.ts';
import { maxRestBodyBytes } from '../intake/read-body.ts';

const read = bodyReader(z.object({ title: z.string().max(500), data: z.record(z.string(), z.unknown()).optional() }), {
  readOnly: [],
  isPatch: false,
});

function take(raw: Buffer): void {
  try {
    read(parseJsonBody(raw));
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
  }
}

describe('the worst bodies', () => {
  it.each(worstJsonBodies({ title: 'a' }, maxRestBodyBytes).map(({ name, make }) => [name, make] as const))(
    'do not hold the event loop longer than the limit: %s',
    async (_name, make) => {
      const raw = make();
      expect(await leastHoldMs(() => take(raw))).toBeLessThanOrEqual(maxHoldMs);
    },
  );
});
