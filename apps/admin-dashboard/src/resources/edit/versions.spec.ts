import { describe, expect, it } from '@jest/globals';
import { differingFields, errorOf, typedTexts } from './versions.ts';

const labels = { name: 'Name', role: 'Role', is_on: 'On' };
const formOf = (entries: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  Object.entries(entries).forEach(([name, value]) => form.set(name, value));
  return form;
};

describe('two versions', () => {
  it('are compared by the fields that have labels, an unchecked one as empty', () => {
    expect(typedTexts(formOf({ name: 'Mine', secret: 'hidden' }), labels)).toEqual({
      name: 'Mine',
      role: '',
      is_on: '',
    });
  });

  it('differ in the fields with another text, whatever space is around it', () => {
    const theirs = { name: 'Theirs', role: 'worker', is_on: 'on' };
    const typed = { name: 'Mine', role: ' worker ', is_on: '' };
    expect(differingFields(labels, theirs, typed)).toEqual([
      { name: 'name', label: 'Name' },
      { name: 'is_on', label: 'On' },
    ]);
  });
});

it.each([
  [{ events: 'a' }, 'a'],
  [{ 'events[0]': 'b' }, 'b'],
  [{ 'events.x': 'c' }, 'c'],
  [{ events_more: 'd' }, undefined],
  [{}, undefined],
])('the error of the field events in %j is %j', (errors, sentence) => {
  expect(errorOf(errors, 'events')).toBe(sentence);
});
