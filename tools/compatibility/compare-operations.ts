import { isDeepStrictEqual } from 'node:util';
import type { Break, Kind } from './breaks.ts';
import { compareSchemas, type Difference, type Walk } from './compare-schemas.ts';
import type { Header, MediaTypes, Operation, Parameter, Response, SecurityRequirement } from './document.ts';
import type { Direction } from './schema-rules.ts';

/** One walk a direction, shared by all operations: a change of a named schema is reported once. */
export type Walks = Readonly<Record<Direction, Walk>>;

/** Both versions of one operation. `sent`: clients send its requests; false for webhooks, which clients receive. */
export type OperationPair = { location: string; old: Operation; now: Operation; isSent: boolean; walks: Walks };

const make = (kind: Kind, location: string, what: string): Break => ({ kind, location, what });

export function compareOperations(pair: OperationPair): Break[] {
  return [
    ...compareNames(pair),
    ...compareParameters(pair),
    ...compareBodies(pair),
    ...compareStatuses(pair),
    ...compareSecurity(pair),
  ];
}

function compareNames({ location, old, now }: OperationPair): Break[] {
  const found: Break[] = [];
  if (old.operationId !== now.operationId)
    found.push(make('name', location, `operationId changed from ${old.operationId} to ${now.operationId}`));
  if (old.tags?.[0] !== now.tags?.[0])
    found.push(make('name', location, `the first tag changed from ${old.tags?.[0]} to ${now.tags?.[0]}`));
  return found;
}

function breaksOf(walk: Walk, location: string, differences: readonly Difference[]): Break[] {
  return differences.map(({ at, what }) => make(walk.direction, at === '' ? location : `${location}, ${at}`, what));
}

const keyOf = ({ name, in: location }: Parameter): string =>
  `${location} parameter ${location === 'header' ? name.toLowerCase() : name}`;

function compareParameters({ location, old, now, isSent, walks }: OperationPair): Break[] {
  const walk = isSent ? walks.request : walks.response;
  const byKey = (operation: Operation, side: 'old' | 'now'): Map<string, Parameter> =>
    new Map((operation.parameters ?? []).map((node) => walk[side].resolve(node)).map((found) => [keyOf(found), found]));
  const [oldOnes, newOnes] = [byKey(old, 'old'), byKey(now, 'now')];
  const kept = [...oldOnes].flatMap(([key, before]) => {
    const after = newOnes.get(key);
    const at = `${location}, ${key}`;
    return after ? compareParameter(walk, at, before, after) : [make(walk.direction, at, 'it was removed or renamed')];
  });
  const added = [...newOnes].filter(([key, { required }]) => isSent && required && !oldOnes.has(key));
  return [...kept, ...added.map(([key]) => make('request', `${location}, ${key}`, 'it is new and required'))];
}

function compareParameter(walk: Walk, location: string, before: Parameter, after: Parameter): Break[] {
  const found = breaksOf(walk, location, compareSchemas(walk, before.schema ?? {}, after.schema ?? {}));
  const isStyled = before.style === after.style && before.explode === after.explode;
  if (!isStyled) found.push(make(walk.direction, location, 'its style or explode changed'));
  const isRequest = walk.direction === 'request';
  if (isRequest && after.required && !before.required) found.push(make('request', location, 'it is required now'));
  if (!isRequest && before.required && !after.required) found.push(make('response', location, 'it can now be missing'));
  return found;
}

function compareBodies({ location, old, now, isSent, walks }: OperationPair): Break[] {
  const walk = isSent ? walks.request : walks.response;
  const before = old.requestBody && walk.old.resolve(old.requestBody);
  const after = now.requestBody && walk.now.resolve(now.requestBody);
  const at = `${location}, ${isSent ? 'request body' : 'payload'}`;
  if (isSent && after?.required && !before?.required) return [make('request', at, 'it is required now')];
  return compareContent(walk, at, before?.content, after?.content);
}

function compareContent(walk: Walk, location: string, old: MediaTypes = {}, now: MediaTypes = {}): Break[] {
  return Object.entries(old).flatMap(([type, before]) => {
    const after = now[type];
    if (!after) return [make(walk.direction, location, `the media type ${type} was removed`)];
    return breaksOf(walk, location, compareSchemas(walk, before.schema ?? {}, after.schema ?? {}));
  });
}

const isSuccess = (status: string): boolean => /^[23]/.test(status);

function compareStatuses({ location, old, now, isSent, walks }: OperationPair): Break[] {
  const walk = isSent ? walks.response : walks.request;
  const [oldOnes, newOnes] = [old.responses ?? {}, now.responses ?? {}];
  const kept = Object.entries(oldOnes).flatMap(([status, node]) => {
    const after = newOnes[status];
    if (!after) return [make('status', location, `the status ${status} was removed`)];
    return compareResponses(walk, `${location}, ${status}`, walk.old.resolve(node), walk.now.resolve(after));
  });
  // Additional errors do not break clients: they share the envelope, and clients handle unknown ones by status class.
  const added = Object.keys(newOnes).filter((status) => isSent && isSuccess(status) && !oldOnes[status]);
  return [...kept, ...added.map((status) => make('status', location, `the success status ${status} is new`))];
}

function compareResponses(walk: Walk, location: string, old: Response, now: Response): Break[] {
  const headers = Object.entries(old.headers ?? {}).flatMap(([name, node]) => {
    const after = now.headers?.[name];
    const at = `${location}, header ${name}`;
    return after ? compareHeaders(walk, at, node, after) : [make(walk.direction, at, 'it was removed or renamed')];
  });
  return [...headers, ...compareContent(walk, location, old.content, now.content)];
}

function compareHeaders(walk: Walk, location: string, old: Header, now: Header): Break[] {
  const [before, after] = [walk.old.resolve(old), walk.now.resolve(now)];
  const found = breaksOf(walk, location, compareSchemas(walk, before.schema ?? {}, after.schema ?? {}));
  return before.required && !after.required ? [...found, make('response', location, 'it can now be missing')] : found;
}

/** Published ways to authenticate must stay valid: the new document requires no other scheme or scope. */
function compareSecurity({ location, old, now, walks }: OperationPair): Break[] {
  const { request: walk } = walks;
  const before = waysIn(old.security ?? walk.old.document.security);
  const after = waysIn(now.security ?? walk.now.document.security);
  return before
    .filter((way) => !after.some((other) => isMetBy(other, way)))
    .map((way) => make('security', location, `${nameWay(way)} is no longer enough`));
}

const waysIn = (security: readonly SecurityRequirement[] = []): readonly SecurityRequirement[] =>
  security.length === 0 ? [{}] : security;
const isMetBy = (wanted: SecurityRequirement, given: SecurityRequirement): boolean =>
  Object.entries(wanted).every(
    ([scheme, scopes]) => given[scheme] !== undefined && scopes.every((scope) => given[scheme]?.includes(scope)),
  );
const nameWay = (way: SecurityRequirement): string =>
  Object.entries(way)
    .map(([scheme, scopes]) => (scopes.length > 0 ? `${scheme} with ${scopes.join(', ')}` : scheme))
    .join(' and ') || 'a call without a credential';

export function compareSchemes({ old, now }: Walk): Break[] {
  // Descriptions do not matter, and clients that do not know a new scope do not request it.
  const bare = (scheme: object = {}): object =>
    JSON.parse(
      JSON.stringify(scheme, (key, value: unknown) => (key === 'description' || key === 'scopes' ? undefined : value)),
    ) as object;
  const [oldOnes, newOnes] = [old.document, now.document].map((found) => found.components?.securitySchemes ?? {});
  return Object.entries(oldOnes ?? {})
    .filter(
      ([name, scheme]) =>
        !isDeepStrictEqual(bare(scheme), bare(newOnes?.[name])) ||
        scopesOf(scheme).some((scope) => !scopesOf(newOnes?.[name]).includes(scope)),
    )
    .map(([name]) => make('security', `security scheme ${name}`, newOnes?.[name] ? 'it changed' : 'it was removed'));
}

/** Of all flows of a scheme. */
const scopesOf = (scheme: { flows?: Record<string, { scopes?: object }> } = {}): string[] =>
  Object.values(scheme.flows ?? {}).flatMap(({ scopes = {} }) => Object.keys(scopes));
