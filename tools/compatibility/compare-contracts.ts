// What in a new contract breaks clients that were written or generated for a published one.
import type { Break } from './breaks.ts';
import { compareOperations, compareSchemes, type Walks } from './compare-operations.ts';
import { createWalk } from './compare-schemas.ts';
import { createReader, type OpenApi, type PathItem } from './document.ts';

export function compareContracts(published: OpenApi, current: OpenApi): Break[] {
  const readers = { old: createReader(published), now: createReader(current) };
  const walks = { request: createWalk(readers, 'request'), response: createWalk(readers, 'response') };
  return [
    ...compareItems(walks, published.paths, current.paths, true),
    ...compareItems(walks, published.webhooks, current.webhooks, false),
    ...compareSchemes(walks.request),
    ...compareSchemaNames(published, current),
  ];
}

type Items = OpenApi['paths'];
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Paths (`isSent`) or webhooks. */
function compareItems(walks: Walks, published: Items = {}, current: Items = {}, isSent: boolean): Break[] {
  return Object.entries(published).flatMap(([name, item]) =>
    operationsOf(item).flatMap(([method, old]) => {
      const location = isSent ? `${method.toUpperCase()} ${name}` : `webhook ${name}`;
      const now = operationsOf(current[name] ?? {}).find(([other]) => other === method)?.[1];
      if (!now)
        return [{ kind: 'operation' as const, location, what: 'it was removed, or its path or method changed' }];
      return compareOperations({ location, old, now, isSent, walks });
    }),
  );
}

/** Parameters of the path belong to each of its operations. */
function operationsOf(item: PathItem) {
  const shared = (item as { parameters?: [] }).parameters ?? [];
  return Object.entries(item)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, found]) => [method, { ...found, parameters: [...shared, ...(found.parameters ?? [])] }] as const);
}

/** Generators name types after schemas. */
function compareSchemaNames(published: OpenApi, current: OpenApi): Break[] {
  const names = Object.keys(published.components?.schemas ?? {});
  return names
    .filter((name) => current.components?.schemas?.[name] === undefined)
    .map((name) => ({ kind: 'name', location: `schema ${name}`, what: 'it was removed or renamed' }));
}
