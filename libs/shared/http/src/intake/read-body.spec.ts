import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { serveRoutes } from '../served-routes.fixture.ts';
import { type Access, defineRoute } from '../index.ts';

const takesText = (path: string, access: Access) =>
  defineRoute({
    method: 'POST',
    path,
    summary: 'Take a text',
    tags: ['Texts'],
    access,
    body: z.object({ text: z.string().max(2_000_000) }),
    responses: { 204: { description: 'Taken' } },
    errors: [],
    handler: async () => ({ status: 204 }),
  });
const { call } = serveRoutes([takesText('/known', { scope: 'tasks:write' }), takesText('/anybody', 'public')]);

const frame = '{"text":""}'.length;
async function statusOf(path: string, bytes: number, options: { isDeclared: boolean }): Promise<number> {
  const text = JSON.stringify({ text: 'a'.repeat(bytes - frame) });
  const body = options.isDeclared ? text : (new Blob([text]).stream() as unknown as RequestInit['body']);
  const init = { body, headers: { 'x-api-key': 'good', 'content-type': 'application/json' }, duplex: 'half' };
  return (await call('POST', path, init as RequestInit)).status;
}

describe.each([
  ['declared', { isDeclared: true }],
  ['in chunks', { isDeclared: false }],
])('a body that comes %s', (_name, how) => {
  it('is read up to 1 MiB from an authenticated caller', async () => {
    expect([await statusOf('/known', 1_048_576, how), await statusOf('/known', 1_048_577, how)]).toEqual([204, 413]);
  });

  it('is read up to 64 KiB from any caller: the time for parsing has no limit per caller', async () => {
    expect([await statusOf('/anybody', 65_536, how), await statusOf('/anybody', 65_537, how)]).toEqual([204, 413]);
  });
});
