import { describe, expect, it } from '@jest/globals';
import { makersIn, parse, textsIn } from './collect-texts.ts';
import { problemsOf, wordsIn } from './style-rules.ts';

function found(code: string, file = 'libs/x/src/a.ts') {
  const tree = parse(file, code);
  return textsIn(tree, makersIn(tree)).map(({ kind, text }) => `${kind}: ${text}`);
}

describe('the texts of a source', () => {
  it.each([
    ["throw new AppError('conflict', { message: 'The run is paused.' });", 'sentence: The run is paused.'],
    [
      'const message = `${f} must be ${n}.`; throw new AppError("conflict", { field, constraint, message });',
      'sentence: {} must be {}.',
    ],
    ["new AppError('conflict', { message: a ? 'One.' : 'Two.' })", 'sentence: One.'],
    ["const refuse = (message: string) => new AppError('conflict', { message }); refuse('No.');", 'sentence: No.'],
    ["out.push({ field, constraint: 'min', message: 'must be at least 1' });", 'rule: must be at least 1'],
    ["throw new StartError('Set DATA_DIR.');", 'sentence: Set DATA_DIR.'],
    ["ctx.logger.warn({ err }, 'delivery failed');", 'log: delivery failed'],
    ["setting('PORT', port().describe('Public port.'))", 'description: Public port.'],
    ["metrics.counter({ name: 'n', help: 'Jobs.' })", 'description: Jobs.'],
  ])('%s', (code, text) => {
    expect(found(code)).toContain(text);
  });

  it('of a contract: what a schema says follows the field', () => {
    const code = "z.string().refine(isGood, { params: {}, message: 'must be good' }).regex(/x/, 'must match')";
    const rules = ['rule: must be good', 'rule: must match'];
    expect(found(code, 'libs/shared/contracts/src/a.ts')).toEqual(expect.arrayContaining(rules));
  });

  it('leave SQL and single words out', () => {
    expect(found("db.query('SELECT id FROM tasks WHERE id = $1'); f('word');")).toEqual([]);
  });
});

describe('a text', () => {
  it.each([
    ['sentence', 'percent_complete must be between 0 and 100.'],
    ['sentence', 'The lease is no longer held. Claim again.'],
    ['sentence', '{} must be at most {}.'],
    ['rule', 'must be at most {}'],
    ['log', 'delivery failed'],
    ['description', 'Minimum log level.'],
    ['plain', 'anything that people read'],
  ] as const)('%s "%s" may stay', (kind, text) => expect(problemsOf({ kind, text })).toEqual([]));

  it.each([
    ['sentence', 'no such task.'],
    ['sentence', 'The task is gone'],
    ['sentence', 'It was used before.'],
    ['sentence', 'The key is revoked: it cannot change.'],
    ['sentence', 'The agent is told of changes.'],
    ['rule', 'the list must be short'],
    ['rule', 'must be short.'],
    ['log', 'a delivery failed'],
    ['log', 'Delivery failed'],
    ['log', 'delivery {} failed'],
    ['log', 'delivery failed; trying again'],
    ['description', 'minimum log level'],
    ['plain', 'nobody works on this any more'],
  ] as const)('%s "%s" is refused', (kind, text) => expect(problemsOf({ kind, text })).toHaveLength(1));
});

describe('a line of code', () => {
  it.each([
    ['/** Whoever has the lock reads it. */', 1],
    ["it('is told that nobody works on it', async () => {", 2],
    ["const found = lookUp('postgres') ?? lookUp('nobody');", 0],
    ['const noBody = Buffer.alloc(0);', 0],
  ])('%s has %i poor words', (line, count) => expect(wordsIn(line)).toHaveLength(count));
});
