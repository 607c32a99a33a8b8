import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { comparePayloads, presentPayloads, schemaOf, type StoredPayloads } from './stored-payloads.ts';

const released = JSON.parse(JSON.stringify(presentPayloads())) as StoredPayloads;
type Shape = { properties: Record<string, object>; required: string[] };

/** The present payloads with a change of what tasks that were created have. */
function changed(change: (data: Shape) => void): StoredPayloads {
  const copy = JSON.parse(JSON.stringify(released)) as StoredPayloads;
  change(copy.events['task.created']?.data as unknown as Shape);
  return copy;
}
const whatBreaks = (present: StoredPayloads) =>
  comparePayloads(released, present).map(({ location, what }) => `${location}: ${what}`);

describe('payloads of two versions that run side by side', () => {
  it('go together when nothing changed', () => {
    expect(whatBreaks(changed(() => {}))).toEqual([]);
  });

  it('go together when a field that may be missing was added, or an event, or a job', () => {
    expect(whatBreaks(changed(({ properties }) => (properties['kind'] = { type: 'string' })))).toEqual([]);
    const events = { ...released.events, 'task.paused': { data: { type: 'object' }, facts: null } };
    expect(whatBreaks({ ...released, events, jobs: { ...released.jobs, 'more.work': { type: 'object' } } })).toEqual(
      [],
    );
  });

  it('do not when this version needs a field that the release does not write', () => {
    const present = changed(({ properties, required }) => {
      properties['kind'] = { type: 'string' };
      required.push('kind');
    });
    expect(whatBreaks(present)).toEqual([expect.stringMatching(/^event task\.created data.*of the release/)]);
  });

  it('do not when this version no longer writes a field, or writes what the release does not expect', () => {
    const without = changed(({ properties, required }) => {
      delete properties['status'];
      required.splice(required.indexOf('status'), 1);
    });
    expect(whatBreaks(without)).toContainEqual(expect.stringMatching(/task\.created data.*for the release/));
    const other = changed(({ properties }) => (properties['status'] = { type: 'integer' }));
    expect(whatBreaks(other)).toContainEqual(expect.stringMatching(/status.*for the release/));
  });

  it('do not when this version refuses unknown fields, as a strict parser does', () => {
    expect(schemaOf(z.object({}))).not.toHaveProperty('additionalProperties');
    expect(schemaOf(z.strictObject({}))).toHaveProperty('additionalProperties', false);
    const present = changed((data) => Object.assign(data, { additionalProperties: false }));
    expect(whatBreaks(present)).toEqual([expect.stringMatching(/unknown fields are refused/)]);
  });

  it('do not when an event, its facts or a job is gone', () => {
    const { 'task.created': created, ...events } = released.events;
    expect(whatBreaks({ ...released, events })).toHaveLength(2);
    expect(
      whatBreaks({ ...released, events: { ...events, 'task.created': { ...created!, facts: null } } }),
    ).toHaveLength(1);
    expect(whatBreaks({ ...released, jobs: {} })).toHaveLength(Object.keys(released.jobs).length);
  });
});
