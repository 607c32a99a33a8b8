import type { Schema, SchemaNode } from './document.ts';
import { type Direction, isOpenList, type Readers, RULES } from './schema-rules.ts';

/** `at`: the path of fields down to the change, from the nearest named schema where there is one. */
export type Difference = { at: string; what: string };

export type Walk = Readers & { direction: Direction; seen: Set<string>; idOf(node: object): number };

/** A walk through both documents; pairs of schemas that were compared once are not compared again. */
export function createWalk(readers: Readers, direction: Direction): Walk {
  const ids = new WeakMap<object, number>();
  let last = 0;
  const idOf = (node: object): number => {
    const id = ids.get(node) ?? (last += 1);
    ids.set(node, id);
    return id;
  };
  return { ...readers, direction, seen: new Set(), idOf };
}

export function compareSchemas(walk: Walk, before: SchemaNode, after: SchemaNode, at = ''): Difference[] {
  const [old, now] = [walk.old.flatten(before), walk.now.flatten(after)];
  const pair = `${walk.idOf(old)}:${walk.idOf(now)}`;
  if (walk.seen.has(pair)) return [];
  walk.seen.add(pair);
  // What the service ignores may be anything.
  if (walk.direction === 'request' && old.readOnly && now.readOnly) return [];
  return compareFlat(walk, old, now, refName(after) ?? refName(before) ?? at);
}

const refName = (node: SchemaNode): string | undefined =>
  typeof node === 'boolean' ? undefined : node.$ref?.split('/').at(-1);

function compareFlat(walk: Walk, old: Schema, now: Schema, at: string): Difference[] {
  if (old.anyOf || old.oneOf || now.anyOf || now.oneOf) return compareVariants(walk, old, now, at);
  const own = RULES.flatMap((rule) => rule({ direction: walk.direction, old, now })).map((what) => ({ at, what }));
  return [...own, ...compareParts(walk, old, now, at)];
}

function compareParts(walk: Walk, old: Schema, now: Schema, at: string): Difference[] {
  const under = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const fields = Object.entries(old.properties ?? {}).flatMap(([name, before]) => {
    const after = now.properties?.[name];
    return after === undefined ? [] : compareSchemas(walk, before, after, under(name));
  });
  const items = compareOptional(walk, old.items, now.items, `${at}[]`);
  const isClosed = old.additionalProperties === false || now.additionalProperties === false;
  const others = isClosed ? [] : compareOptional(walk, old.additionalProperties, now.additionalProperties, under('*'));
  return [...fields, ...items, ...others];
}

function compareOptional(walk: Walk, before: SchemaNode | undefined, after: SchemaNode | undefined, at: string) {
  return before === undefined && after === undefined ? [] : compareSchemas(walk, before ?? {}, after ?? {}, at);
}

/** Requests: each old alternative is accepted; responses: each new one is known. The rest compares by position. */
function compareVariants(walk: Walk, old: Schema, now: Schema, at: string): Difference[] {
  const isRequest = walk.direction === 'request';
  if (!isRequest && isOpenList(old)) return [];
  const [oldOnes, newOnes] = [walk.old.variantsOf(old), walk.now.variantsOf(now)];
  const [asked, offered] = isRequest ? [oldOnes, newOnes] : [newOnes, oldOnes];
  return asked.flatMap((variant, index) => {
    const tries = offered.map((other) => {
      const trial = { ...walk, seen: new Set(walk.seen) };
      const [before, after] = isRequest ? [variant, other] : [other, variant];
      return compareFlat(trial, before, after, at);
    });
    if (tries.some((differences) => differences.length === 0)) return [];
    const sameIndex = oldOnes.length === newOnes.length ? tries[index] : undefined;
    const what = `alternative ${index + 1} of ${asked.length} ${isRequest ? 'is no longer accepted' : 'is new'}`;
    return sameIndex ?? [{ at, what }];
  });
}
