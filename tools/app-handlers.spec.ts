import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { queues } from '@eas/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';

type HandlerMap = Record<string, unknown>;
const appsFolder = resolve(import.meta.dirname, '../apps');
/** Apps that have a handlers.ts. No app may import another, so they are found and loaded by path. */
const workers = readdirSync(appsFolder).filter((app) => existsSync(join(appsFolder, app, 'src/handlers.ts')));

async function handlersOf(app: string): Promise<HandlerMap> {
  const exported = (await import(join(appsFolder, app, 'src/handlers.ts'))) as Record<string, unknown>;
  const maps = Object.values(exported).map((value) =>
    // A handler map may be made from what its app's container builds; its keys do not depend on that.
    typeof value === 'function' ? (value as (parts: object) => HandlerMap)({}) : (value as HandlerMap),
  );
  return Object.assign({}, ...maps) as HandlerMap;
}

describe('the jobs of the catalogue', () => {
  const maps = new Map<string, HandlerMap>();
  beforeAll(async () => {
    for (const app of workers) maps.set(app, await handlersOf(app));
  });

  it.each(Object.entries(queues))('of queue %s are all handled, by one app alone', (_, { jobs }) => {
    const handling = [...maps].filter(([, handlers]) => Object.keys(jobs).some((job) => job in handlers));
    expect(handling).toHaveLength(1);
    expect(Object.keys(handling[0]?.[1] ?? {}).sort()).toEqual(Object.keys(jobs).sort());
  });

  it('are the only jobs that apps handle', () => {
    const known = Object.values(queues).flatMap(({ jobs }) => Object.keys(jobs));
    const handled = [...maps.values()].flatMap((handlers) => Object.keys(handlers));
    expect(handled.sort()).toEqual(known.sort());
  });
});
