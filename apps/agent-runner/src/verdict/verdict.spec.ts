import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { endings, endingsTable } from './endings.ts';
import type { Happened, Turn, Work } from './happened.ts';
import { verdictOf } from './verdict.ts';

const page = resolve(import.meta.dirname, '../../../../docs/services/agent-runner.md');
const [good] = endings as [(typeof endings)[0]];
const { turn } = good.happened;

describe('the end of a turn', () => {
  it.each(endings.map((ending) => [ending.title, ending] as const))('%s', (_title, ending) => {
    const verdict = verdictOf(ending.happened);
    expect(verdict.kind).toBe(ending.verdict);
    if (verdict.kind === 'fail') expect(verdict.isRetryable).toBe(ending.isRetryable);
  });

  it('has a row in the documentation for each of them', () =>
    expect(readFileSync(page, 'utf8')).toContain(endingsTable()));

  it('asks with the last word of the agent, and fails with what it said', () => {
    const asked = { ...good.happened, turn: { ...turn, text: 'Two files are there.\n\nWhich one?' } };
    expect(verdictOf(asked)).toEqual({ kind: 'ask', question: 'Two files are there.\n\nWhich one?' });
    const broken: Turn = { ...turn, end: { kind: 'exit', code: 3 }, errors: ['broken'], text: 'out' };
    expect(verdictOf({ ...good.happened, turn: broken })).toEqual({
      kind: 'fail',
      reason: 'The command failed: exit code 3.\nbroken',
      isRetryable: true,
    });
  });

  it('sends an agent back with the output of the checks that failed, and with no other', () => {
    const check = { name: 'lint', code: 2, signal: null, isTimedOut: false, seconds: 1, tail: 'x is unused' };
    const work: Work = {
      isCodeAsked: true,
      change: 'new',
      problems: [],
      checks: [{ ...check, name: 'types', code: 0 }, check],
      push: undefined,
    };
    const { text } = verdictOf({ ...good.happened, work }) as { text: string };
    expect(text).toContain('The check "lint" failed with exit code 2. The last of its output:\n\nx is unused');
    expect(text).not.toContain('types');
  });

  it('completes a task only where nothing speaks against it', () => {
    const check = fc.record({
      name: fc.constant('tests'),
      code: fc.constantFrom(0, 1, null),
      signal: fc.constant(null),
      isTimedOut: fc.boolean(),
      seconds: fc.constant(1),
      tail: fc.constant(''),
    });
    const anything: fc.Arbitrary<Happened> = fc.record({
      isScript: fc.constant(false),
      hasReview: fc.boolean(),
      hasFeedback: fc.boolean(),
      missing: fc.subarray(['link', 'file']),
      rounds: fc.record({ used: fc.nat(3), max: fc.constant(2) }),
      turn: fc.record({
        end: fc.constantFrom<Turn['end']>(
          { kind: 'exit', code: 0 },
          { kind: 'exit', code: 1 },
          { kind: 'signal', signal: 'SIGKILL' },
          { kind: 'stop', reason: 'end_turn' },
          { kind: 'stop', reason: 'refusal' },
          { kind: 'timeout', seconds: 1 },
          { kind: 'error', message: 'x' },
        ),
        words: fc.constantFrom({}, { summary: 'Done.' }, { fail: 'No.' }),
        text: fc.constantFrom('Done.', 'Which one?'),
        errors: fc.constant([]),
        denied: fc.subarray(['Bash']),
        attached: fc.constant([]),
      }),
      work: fc.record({
        isCodeAsked: fc.boolean(),
        change: fc.constantFrom('none', 'earlier', 'new'),
        problems: fc.subarray(['too large']),
        checks: fc.array(check, { maxLength: 2 }),
        push: fc.constantFrom<Work['push']>(
          undefined,
          { kind: 'pushed' },
          { kind: 'off' },
          { kind: 'conflict', message: 'x' },
          { kind: 'refused', message: 'x' },
        ),
      }),
    });
    fc.assert(
      fc.property(anything, (happened) => {
        const verdict = verdictOf(happened);
        if (verdict.kind !== 'complete' && verdict.kind !== 'review') return;
        const { turn: ended, work, missing } = happened;
        expect(ended.end).toEqual(
          ended.end.kind === 'exit' ? { kind: 'exit', code: 0 } : { kind: 'stop', reason: 'end_turn' },
        );
        expect([ended.denied, ended.words.fail, missing, work?.problems]).toEqual([[], undefined, [], []]);
        expect(ended.words.summary ?? ended.text).toBe('Done.');
        expect(work?.checks.every(({ code, isTimedOut }) => code === 0 && !isTimedOut)).toBe(true);
        expect(work?.isCodeAsked === true && work.change === 'none').toBe(false);
        expect(
          happened.hasFeedback && work?.isCodeAsked && work.change === 'earlier' && happened.rounds.used === 0,
        ).toBeFalsy();
        expect(['pushed', 'off', undefined]).toContain(work?.push?.kind);
      }),
    );
  });
});
