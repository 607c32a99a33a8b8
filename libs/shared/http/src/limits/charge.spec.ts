import { AppError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { openBudget, serveRoutes } from '../served-routes.fixture.ts';
import { defineRoute } from '../index.ts';
import type { CallCost } from './tenant-pace.ts';

const charged: [tenantId: string, bucket: string, cost: CallCost][] = [];

const reads = (path: string, handler: () => Promise<{ status: 200; body: { text: string } }>) =>
  defineRoute({
    method: 'GET',
    path,
    summary: 'Read',
    tags: ['Reading'],
    access: { scope: 'tasks:read' },
    responses: { 200: { description: 'Read', schema: z.object({ text: z.string() }) } },
    errors: ['invalid_request'],
    handler,
  });

const { call } = serveRoutes(
  [
    reads('/v1/large', async () => ({ status: 200, body: { text: 'x'.repeat(1_000) } })),
    reads('/v1/too-large', async () => {
      throw new AppError('invalid_request', { readBytes: 5_000 });
    }),
  ],
  { budget: { ...openBudget, charge: ({ tenantId }, bucket, cost) => void charged.push([tenantId, bucket, cost]) } },
);

describe('the cost of a call for its tenant', () => {
  it('includes the bytes of its response, and those that were read for a too large one', async () => {
    const headers = { 'x-api-key': 'good' };
    const { text } = await call('GET', '/v1/large', { headers });
    expect(charged).toContainEqual(['tnt_1', 'api', { bytes: text.length }]);
    await call('GET', '/v1/too-large', { headers });
    expect(charged).toContainEqual(['tnt_1', 'api', { bytes: 5_000 }]);
  });

  it('is zero if the caller is not authenticated', async () => {
    charged.length = 0;
    await call('GET', '/v1/large');
    expect(charged).toEqual([]);
  });
});
