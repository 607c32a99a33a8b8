import { describe, expect, it } from '@jest/globals';
import { resultIn } from './result-in.ts';

const schema = {
  type: 'object',
  required: ['decision'],
  properties: {
    decision: { enum: ['approve', 'reject'] },
    findings: {
      type: 'array',
      items: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
    },
  },
};
const json = (value: unknown) => JSON.stringify(value);
const block = (value: unknown, fence = '```', word = 'json') => `${fence}${word}\n${json(value)}\n${fence}`;
const good = { decision: 'approve', findings: [] };

describe('the result that a message ends with', () => {
  it.each([
    ['the last block of code', `Fine.\n\n${block({ decision: 'reject' })}\nor rather\n${block(good)}`],
    ['the whole message', json(good)],
    ['a block without a word', `Fine.\n${block(good, '```', '')}`],
    ['a block with a longer fence', `Fine.\n${block(good, '````')}\n\nThat is all.`],
  ])('is %s', (_, text) => expect(resultIn(text, schema)).toEqual({ result: good }));

  it.each([
    ['there is none', 'Fine.', /does not end with a JSON object/],
    ['the block is not closed', '```json\n{"decision": "approve"}', /does not end with a JSON object/],
    ['it is no object', block(['approve']), /no JSON object/],
    ['it does not fit', block({ decision: 'maybe', findings: [{}] }), /^decision: .*; findings\.0\.path: /],
  ])('is missing where %s', (_, text, problem) =>
    expect(resultIn(text, schema)).toEqual({ problem: expect.stringMatching(problem) }),
  );

  it('is left to the service where the schema cannot be read here', () =>
    expect(resultIn(json(good), { $ref: 'https://schemas.example/unknown.json' })).toEqual({ result: good }));

  it('is found in the longest message in linear time', () => {
    const text = `${'```\n'.repeat(16_000)}${json(good)}`;
    expect(resultIn(text, schema).problem).toMatch(/does not end/);
  });
});
