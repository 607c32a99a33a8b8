import { describe, expect, it } from '@jest/globals';
import { formContentInput, type Form, type FormContent } from './form.ts';
import { contentViolations } from './form-content.ts';
import { formInput } from './form-input.ts';
import { fieldLines, readValue, soleChoiceOf } from './form-text.ts';

const form: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 4 },
    database: { type: 'string', oneOf: [{ const: 'pg', title: 'Postgres' }] },
    database_custom: { type: 'string' },
    mail: { type: 'string', format: 'email' },
    page: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    share: { type: 'number', minimum: 0, maximum: 1 },
    port: { type: 'integer' },
    isSecure: { type: 'boolean' },
    hosts: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 },
  },
  required: ['name'],
};
const brokenBy = (content: FormContent) =>
  contentViolations(form, { name: 'Ada', ...content }).map(({ field, constraint }) => `${field} ${constraint}`);

describe('the answer to a form', () => {
  it('is valid when each field has a value of its type; optional fields may be omitted', () => {
    expect(brokenBy({})).toEqual([]);
    const all = { database: 'pg', database_custom: '17', mail: 'a@b.c', page: 'https://a.b', day: '2026-02-28' };
    expect(brokenBy({ ...all, at: '2026-02-28T10:00:00Z', share: 0.5, port: 80, isSecure: false })).toEqual([]);
    expect(brokenBy({ hosts: ['c', 'a'], name: '\u{1F600}\u{1F600}' })).toEqual([]);
  });

  it.each<[FormContent, string]>([
    [{ name: ' ' }, 'content.name required'],
    [{ name: 'A' }, 'content.name min_length'],
    [{ name: 'Grace' }, 'content.name max_length'],
    [{ name: 7 }, 'content.name type'],
    [{ database: 'Postgres' }, 'content.database enum'],
    [{ mail: 'a b@c' }, 'content.mail format'],
    [{ page: 'a.b' }, 'content.page format'],
    [{ day: '2026-02-30' }, 'content.day format'],
    [{ at: '2026-02-28' }, 'content.at format'],
    [{ share: -0.1 }, 'content.share min'],
    [{ share: 1.1 }, 'content.share max'],
    [{ share: '1' }, 'content.share type'],
    [{ port: 1.5 }, 'content.port type'],
    [{ isSecure: 'yes' }, 'content.isSecure type'],
    [{ hosts: 'a' }, 'content.hosts type'],
    [{ hosts: [] }, 'content.hosts min_length'],
    [{ hosts: ['a', 'b', 'c'] }, 'content.hosts max_length'],
    [{ hosts: ['a', 'a'] }, 'content.hosts exists'],
    [{ hosts: ['d'] }, 'content.hosts enum'],
    [{ other: 'x' }, 'content.other unknown_field'],
    [{ constructor: 'x' }, 'content.constructor unknown_field'],
  ])('%j breaks %s', (content, broken) => expect(brokenBy(content)).toEqual([broken]));

  it('misses a required field, and names every problem', () => {
    expect(contentViolations(form, { port: 'x', other: 1 }).map(({ field }) => field)).toEqual([
      'content.other',
      'content.name',
      'content.port',
    ]);
  });

  it('has bounded keys, values and size', () => {
    expect(formContentInput.safeParse({ a: 'x'.repeat(65_536) }).success).toBe(false);
    expect(formContentInput.safeParse({ a: { b: 1 } }).success).toBe(false);
    expect(formContentInput.safeParse({ ['x'.repeat(101)]: 1 }).success).toBe(false);
    expect(Object.keys(formContentInput.parse(JSON.parse('{"__proto__":"x"}')))).toEqual([]);
    expect(formContentInput.safeParse({ a: Number.MAX_VALUE }).success).toBe(false);
  });
});

describe('a form that cannot be filled in', () => {
  const text = { type: 'string' };
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, text]));
  const long = { type: 'string', description: 'x'.repeat(4_000) };
  it.each<[string, object, string]>([
    ['without fields', { properties: {} }, 'properties'],
    ['with too many fields', { properties: many }, 'properties'],
    ['with an unknown required field', { properties: { a: text }, required: ['b'] }, 'required.0'],
    ['with an unknown type', { properties: { a: { type: 'file' } } }, 'properties.a.type'],
    ['with a pattern', { properties: { a: { type: 'string', pattern: '(a+)+$' } } }, 'properties.a'],
    [
      'with two lists of options',
      { properties: { a: { ...text, enum: ['x'], oneOf: [{ const: 'y', title: 'Y' }] } } },
      'properties.a',
    ],
    ['with an option twice', { properties: { a: { ...text, enum: ['x', 'x'] } } }, 'properties.a'],
    ['with nothing to choose from', { properties: { a: { type: 'array', items: {} } } }, 'properties.a.items'],
    [
      'with bounds the wrong way round',
      { properties: { a: { type: 'number', minimum: 2, maximum: 1 } } },
      'properties.a.maximum',
    ],
    [
      'with a default that is no option',
      { properties: { a: { ...text, enum: ['x'], default: 'y' } } },
      'properties.a.default',
    ],
    ['with a key that is no name', { properties: { '__proto__ x': text } }, 'properties.__proto__ x'],
    [
      'that is too large',
      { properties: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`f${at}`, long])) },
      '',
    ],
  ])('%s is refused', (_, given, path) => {
    const { error } = formInput.safeParse({ type: 'object', ...given });
    expect(error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });

  it('is not one that agents send', () => {
    // As Claude Code's adapter 0.101.0 sends it, without what is the agent's own.
    const choice = { type: 'string', title: 'Choice', oneOf: [{ const: 'red', title: 'red', description: 'red' }] };
    const custom = { type: 'string', title: 'Other', description: 'Type your own answer.' };
    const properties = { question_0: choice, question_0_custom: custom };
    expect(formInput.safeParse({ type: 'object', properties }).success).toBe(true);
    expect(formInput.safeParse({ properties: { 0: { type: 'string', enum: ['a'] } } }).success).toBe(true);
  });
});

describe('a form as text', () => {
  it('has a line for each field, and reads what people write into them', () => {
    expect(fieldLines({ ...form, required: ['hosts'] }).slice(-2)).toEqual([
      'isSecure: yes or no',
      'hosts: required; several, separated by commas; a | b | c',
    ]);
    const { properties } = form;
    const read = (key: string, text: string) => {
      const field = properties[key];
      return field && readValue(field, text);
    };
    expect(read('database', ' postgres ')).toBe('pg');
    expect(read('port', '80')).toBe(80);
    expect(read('port', 'many')).toBe('many');
    expect(read('isSecure', 'No')).toBe(false);
    expect(read('isSecure', 'constructor')).toBe('constructor');
    expect(read('hosts', 'B, a,, d')).toEqual(['b', 'a', 'd']);
  });

  it('is a single choice only if it has no other field', () => {
    const { database, database_custom: custom, port } = form.properties;
    if (!database || !custom || !port) throw new Error('no such fields');
    expect(soleChoiceOf({ type: 'object', properties: { database, database_custom: custom } })).toMatchObject({
      key: 'database',
      options: [{ value: 'pg', label: 'Postgres' }],
    });
    expect(soleChoiceOf({ type: 'object', properties: { database, port } })).toBeUndefined();
    expect(soleChoiceOf({ type: 'object', properties: { custom } })).toBeUndefined();
  });
});
