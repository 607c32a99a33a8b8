import { describe, expect, it } from '@jest/globals';
import type { Api } from './api.ts';
import { findProjects } from './find-projects.ts';

const id = 'prj_01ks0000000000000000000000';

/** With a service that gives this response to each call. */
function find(given: readonly string[], status: number, body: unknown = {}): Promise<string[]> {
  const api: Api = async () => {
    const error = status < 400 ? undefined : { code: 'forbidden' as const, message: 'no', details: {}, request_id: '' };
    return { status, body, error, sentAtMs: 0, cameAtMs: 0, dateMs: 0 };
  };
  return findProjects(api, given, new AbortController().signal);
}

describe('the projects of a runner', () => {
  it('are each found once, by name or ID', async () => {
    expect(await find(['Shop', id], 200, { data: [{ id }] })).toEqual([id]);
    expect(await find([], 500)).toEqual([]);
  });

  it('are not searched with the key of an agent, which may use their IDs', async () => {
    expect(await find([id], 403)).toEqual([id]);
    await expect(find(['Shop'], 403)).rejects.toThrow('The key may not look for the project "Shop": give its ID');
  });

  it('that do not exist are named', async () => {
    await expect(find(['Shop'], 200, { data: [] })).rejects.toThrow('There is no project "Shop".');
    await expect(find([id], 404)).rejects.toThrow(`There is no project "${id}".`);
  });

  it('that share a name are not chosen from', async () => {
    const several = 'Several projects are called "Shop": use an ID.';
    await expect(find(['Shop'], 200, { data: [{ id }, { id }] })).rejects.toThrow(several);
  });

  it('cannot be found with a wrong key', async () => {
    await expect(find([id], 401)).rejects.toThrow('looking for the project failed with 401: no');
  });
});
