import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { exampleDataOf, publicEventTypes } from '@eas/contracts';
import { isId } from '@eas/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { examplesFile, lastRelease, storedFile } from './releases.ts';
import {
  fieldsOf,
  formsOf,
  type Payload,
  payloadsByName,
  presentExamples,
  type StoredExamples,
} from './stored-examples.ts';
import { presentParsers, presentPayloads, type StoredPayloads } from './stored-payloads.ts';

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const version = lastRelease()?.version ?? '';
const schemas = {
  released: payloadsByName(read<StoredPayloads>(storedFile(version))),
  present: payloadsByName(presentPayloads()),
};
const stored = {
  released: Object.entries(payloadsByName(read<StoredExamples>(examplesFile(version)))),
  present: Object.entries(payloadsByName(presentExamples())),
};
const parsers = payloadsByName(presentParsers);
/** Those that subscribers read in the contract. */
const published = publicEventTypes.map((type) => [`data of ${type}`, exampleDataOf(type)] as const);
const present: (readonly [string, Payload])[] = [...stored.present, ...published];

// Formats have patterns next to them, which are validated.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const refusedByRelease = (name: string, payload: Payload): unknown[] =>
  ajv.validate(schemas.released[name] as object, payload) ? [] : [...(ajv.errors ?? [])];
/** Processes of the release do not read events and jobs that are newer. */
const isRead = ([name]: readonly [string, Payload]): boolean => name in schemas.released;

describe('examples of what is stored', () => {
  it('are there of every event and job, in this version and in the release', () => {
    for (const whose of ['present', 'released'] as const)
      expect(stored[whose].map(([name]) => name).sort()).toEqual(Object.keys(schemas[whose]).sort());
  });

  it.each(Object.entries(schemas.present))('%s: an example has each field that may be missing', (name, schema) => {
    const shown = present.filter(([other]) => other === name).flatMap(([, payload]) => Object.keys(payload));
    expect(fieldsOf(schema).filter((field) => !shown.includes(field))).toEqual([]);
  });

  it.each([...stored.present, ...stored.released].filter(([name]) => name.startsWith('job ')))(
    '%s has ids of the right kind',
    (_, { tenant_id: tenantId, endpoint_id: endpointId, event_ids: eventIds }) => {
      expect(isId('tenant', String(tenantId))).toBe(true);
      if (endpointId !== undefined) expect(isId('endpoint', String(endpointId))).toBe(true);
      expect((eventIds as string[]).filter((id) => !isId('event', id))).toEqual([]);
    },
  );
});

describe(`what this version stores is read by processes of v${version}`, () => {
  it.each(present.filter(isRead))('%s, in full and without what may be missing', (name, payload) => {
    for (const form of formsOf(schemas.present[name], payload)) expect(refusedByRelease(name, form)).toEqual([]);
  });

  it.each(stored.present.filter(isRead))('%s, with a field that they do not know', (name, payload) => {
    expect(refusedByRelease(name, { ...payload, added_later: { a: 1 } })).toEqual([]);
  });

  it.each(stored.released)('and they would refuse %s without a field that they need', (name, payload) => {
    for (const field of Object.keys(formsOf(schemas.released[name], payload)[1]))
      expect(refusedByRelease(name, { ...payload, [field]: undefined })).not.toEqual([]);
  });
});

describe(`what v${version} stored is read by this version`, () => {
  it.each(stored.released)(
    '%s, in full and without what may be missing, and nothing of it is lost',
    (name, payload) => {
      for (const form of formsOf(schemas.released[name], payload)) expect(parsers[name]?.parse(form)).toEqual(form);
    },
  );
});
