// What processes of one version write and those of another read: events, and the payloads of jobs.
import { events, queues } from '@eas/contracts';
import { z } from 'zod';
import type { Break } from './breaks.ts';
import { compareSchemas, createWalk } from './compare-schemas.ts';
import { createReader, type SchemaNode } from './document.ts';

/** Something for each payload: a schema, a parser, an example. */
export type PerPayload<T> = {
  events: Readonly<Record<string, { data: T; facts: T | null }>>;
  jobs: Readonly<Record<string, T>>;
};

export type StoredPayloads = PerPayload<SchemaNode>;

export const presentParsers: PerPayload<z.ZodType> = {
  events,
  jobs: Object.fromEntries(
    Object.values(queues).flatMap(({ jobs }) =>
      Object.entries<{ payload: z.ZodType }>(jobs).map(([name, { payload }]) => [name, payload]),
    ),
  ),
};

/** `io: 'output'`: as it is stored. Examples and descriptions are no part of what is compared. */
export const schemaOf = (schema: z.ZodType): SchemaNode =>
  z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => withoutWords(jsonSchema, isStrict(zodSchema)),
  }) as SchemaNode;

/** Parsers drop unknown fields, so the schemas allow them, except where a strict parser refuses them. */
function withoutWords(schema: Record<string, unknown>, refusesUnknown: boolean): void {
  for (const word of ['description', 'example', 'examples', 'id']) delete schema[word];
  if (schema['additionalProperties'] === false && !refusesUnknown) delete schema['additionalProperties'];
}

const isStrict = ({ _zod: { def } }: z.core.$ZodTypes): boolean =>
  def.type === 'object' && def.catchall?._zod.def.type === 'never';

export function presentPayloads(): StoredPayloads {
  const [ofEvents, ofJobs] = [Object.entries(presentParsers.events), Object.entries(presentParsers.jobs)];
  return {
    events: Object.fromEntries(
      ofEvents.map(([type, { data, facts }]) => [type, { data: schemaOf(data), facts: facts && schemaOf(facts) }]),
    ),
    jobs: Object.fromEntries(ofJobs.map(([name, payload]) => [name, schemaOf(payload)])),
  };
}

/** What in the present payloads does not go together with processes of the release, read or written by either. */
export function comparePayloads(released: StoredPayloads, present: StoredPayloads): Break[] {
  const readers = { old: createReader({}), now: createReader({}) };
  const compare = (location: string, before: SchemaNode | null, after: SchemaNode | null | undefined): Break[] => {
    if (after === undefined || (before === null) !== (after === null))
      return [{ kind: 'stored', location, what: after ? 'it is new where there was nothing' : 'it was removed' }];
    if (before === null || after === null) return [];
    const [old, now] = [before, after];
    const written = compareSchemas(createWalk(readers, 'request'), old, now);
    const read = compareSchemas(createWalk(readers, 'response'), old, now);
    return [
      ...written.map(({ at, what }) => breakOf(location, at, `of the release: ${what}`)),
      ...read.map(({ at, what }) => breakOf(location, at, `for the release: ${what}`)),
    ];
  };
  return [
    ...Object.entries(released.events).flatMap(([type, { data, facts }]) => [
      ...compare(`event ${type} data`, data, present.events[type]?.data),
      ...compare(`event ${type} facts`, facts, present.events[type]?.facts),
    ]),
    ...Object.entries(released.jobs).flatMap(([name, payload]) => compare(`job ${name}`, payload, present.jobs[name])),
  ];
}

const breakOf = (location: string, at: string, what: string): Break => ({
  kind: 'stored',
  location: at === '' ? location : `${location} ${at}`,
  what,
});
