// What processes of one version write and those of another read: events, and the payloads of jobs.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { events, queues } from '@eas/contracts';
import { z } from 'zod';
import type { Break } from './breaks.ts';
import { compareSchemas, createWalk } from './compare-schemas.ts';
import { createReader, type SchemaNode } from './document.ts';
import { repoFolder } from './releases.ts';

export type StoredPayloads = {
  /** The last one of the release: those behind it run while processes of the release do. */
  newest_migration: string;
  events: Readonly<Record<string, { data: SchemaNode; facts: SchemaNode | null }>>;
  jobs: Readonly<Record<string, SchemaNode>>;
};

/** `io: 'output'`: as it is stored. Examples and descriptions are no part of what is compared. */
const schemaOf = (schema: z.ZodType): SchemaNode =>
  z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => void withoutWords(jsonSchema),
  }) as SchemaNode;

/** Unknown fields are ignored by whoever reads, so they are allowed. */
function withoutWords(schema: Record<string, unknown>): void {
  for (const word of ['description', 'example', 'examples', 'id']) delete schema[word];
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
}

export const migrationNames = (): string[] =>
  readdirSync(join(repoFolder, 'prisma/migrations'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

export function presentPayloads(): StoredPayloads {
  type Definition = { data: z.ZodType; facts: z.ZodType | null };
  const definitions = Object.entries(events as unknown as Record<string, Definition>);
  const jobs = Object.values(queues).flatMap(({ jobs: own }) => Object.entries<{ payload: z.ZodType }>(own));
  return {
    newest_migration: migrationNames().at(-1) ?? '',
    events: Object.fromEntries(
      definitions.map(([type, { data, facts }]) => [type, { data: schemaOf(data), facts: facts && schemaOf(facts) }]),
    ),
    jobs: Object.fromEntries(jobs.map(([name, { payload }]) => [name, schemaOf(payload)])),
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
