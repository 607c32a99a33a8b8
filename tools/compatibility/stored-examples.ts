// Examples of what processes store for each other: those of this version, and those that a release froze.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema, SchemaNode } from './document.ts';
import { repoFolder } from './releases.ts';
import type { PerPayload } from './stored-payloads.ts';

export type Payload = Readonly<Record<string, unknown>>;
/** One of each payload, with all of its fields. */
export type StoredExamples = PerPayload<Payload>;

const folder = join(repoFolder, 'libs/shared/contracts/test');

function readExamples<T>(kind: string): Record<string, T> {
  const files = readdirSync(join(folder, kind)).sort();
  const read = (file: string) => JSON.parse(readFileSync(join(folder, kind, file), 'utf8')) as Record<string, T>;
  return Object.fromEntries(files.flatMap((file) => Object.entries(read(file))));
}

export const presentExamples = (): StoredExamples => ({ events: readExamples('events'), jobs: readExamples('jobs') });

/** The data and the facts of each event, and the payload of each job, by name. */
export function payloadsByName<T>({ events, jobs }: PerPayload<T>): Record<string, T> {
  const ofEvents = Object.entries(events).flatMap(([type, { data, facts }]): [string, T][] => [
    [`data of ${type}`, data],
    ...(facts === null ? [] : [[`facts of ${type}`, facts] satisfies [string, T]]),
  ]);
  return Object.fromEntries([...ofEvents, ...Object.entries(jobs).map(([name, one]) => [`job ${name}`, one] as const)]);
}

export const fieldsOf = (schema: SchemaNode | undefined): string[] => Object.keys((schema as Schema).properties ?? {});

/** The payload as it is, and without the fields that may be missing. */
export function formsOf(schema: SchemaNode | undefined, payload: Payload): readonly [full: Payload, minimal: Payload] {
  const { required = [] } = schema as Schema;
  return [payload, Object.fromEntries(Object.entries(payload).filter(([field]) => required.includes(field)))];
}
