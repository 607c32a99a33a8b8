import { describe, expect, it } from '@jest/globals';
import { controlOf, moreName, readParameter, readParameters } from './parameter-values.ts';

describe('the value of a parameter', () => {
  it.each([
    [{ type: 'string' as const }, ' as typed ', ' as typed '],
    [{ type: 'number' as const }, '1.5', 1.5],
    [{ type: 'integer' as const }, '7', 7],
    [{ type: 'boolean' as const }, 'false', false],
    [{ type: 'integer' as const, enum: [1, 2] }, '2', 2],
    [{ type: 'string' as const, enum: ['1', '2'] }, '2', '2'],
    [{ type: 'timestamp' as const }, '2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    [{ type: 'array' as const }, 'one\n\n two ', ['one', 'two']],
    [{ type: 'array' as const }, '[1, {"a": 2}]', [1, { a: 2 }]],
    [{ type: 'object' as const }, '{"a": {"b": true}}', { a: { b: true } }],
  ])('of %j is read from %j', (parameter, text, value) => {
    expect(readParameter(parameter, text)).toEqual({ value });
  });

  it('is left out when nothing was typed', () => {
    expect(readParameter({ type: 'boolean' }, '')).toBeUndefined();
    expect(readParameters({ a: { type: 'string' } }, {}, ' ')).toEqual({ values: {}, errors: {} });
  });

  it('is refused with a message when it is invalid', () => {
    expect(readParameter({ type: 'number' }, 'many')).toEqual({ error: 'Enter a number.' });
    expect(readParameter({ type: 'object' }, '{')).toMatchObject({ error: expect.stringContaining('not JSON') });
  });
});

it('undeclared parameters come from a JSON object, and declared ones override them', () => {
  const declared = { a: { type: 'string' as const } };
  expect(readParameters(declared, { a: 'x' }, '{"a": "y", "b": 1}').values).toEqual({ a: 'x', b: 1 });
  expect(readParameters(declared, {}, '[1]').errors).toHaveProperty([moreName]);
  expect(readParameters(declared, {}, 'x').errors).toHaveProperty([moreName]);
});

it('a choice is chosen, whatever its type', () => {
  expect(controlOf({ type: 'number', enum: [1] })).toBe('choice');
});
