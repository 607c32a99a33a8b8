import { describe, expect, it } from '@jest/globals';
import { createTenantLoads } from './tenant-loads.ts';

describe('the loads of tenants', () => {
  it('are added up for each tenant until they are taken', () => {
    const loads = createTenantLoads();
    loads.add('a', { calls: 1 });
    loads.add('a', { databaseMs: 12, bytes: 100 });
    loads.add('b', { received: 1 });
    const taken = loads.take();
    expect(taken.get('a')).toEqual({ calls: 1, databaseMs: 12, bytes: 100, received: 0, attempts: 0 });
    expect(taken.get('b')).toEqual({ calls: 0, databaseMs: 0, bytes: 0, received: 1, attempts: 0 });
    expect(taken.has('')).toBe(false);
    expect(loads.take().size).toBe(0);
  });

  it('are reported for the loudest twenty, with all others together', () => {
    const loads = createTenantLoads();
    for (let tenant = 0; tenant < 30; tenant += 1) loads.add(`tnt_${tenant}`, { calls: tenant, attempts: 1 });
    const taken = loads.take();
    expect([...taken.keys()].slice(0, 2)).toEqual(['tnt_29', 'tnt_28']);
    expect(taken.size).toBe(21);
    expect(taken.get('')).toMatchObject({ calls: 45, attempts: 10 });
  });

  it('count a tenant by what its calls cost, not by their number alone', () => {
    const loads = createTenantLoads();
    loads.add('many', { calls: 100 });
    loads.add('slow', { calls: 1, databaseMs: 50_000 });
    loads.add('large', { calls: 1, bytes: 65_536_000 });
    expect([...loads.take().keys()]).toEqual(['slow', 'large', 'many']);
  });

  it('take a bounded amount of memory, however many tenants call', () => {
    const loads = createTenantLoads();
    for (let tenant = 0; tenant < 20_000; tenant += 1) loads.add(`tnt_${tenant}`, { calls: 1 });
    loads.add('tnt_0', { calls: 5 });
    const taken = loads.take();
    expect(taken.get('tnt_0')).toMatchObject({ calls: 6 });
    expect([...taken.values()].reduce((sum, { calls }) => sum + calls, 0)).toBe(20_005);
    loads.add('tnt_19999', { calls: 1 });
    expect([...loads.take().keys()]).toEqual(['tnt_19999']);
  });
});
