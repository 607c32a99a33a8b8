import { describe, expect, it } from '@jest/globals';
import { isUnmarked, newMark, readLine } from './marked-line.ts';

const mark = newMark();
/** The line as a command writes it that knows the mark. */
const read = (line: string) => readLine(line.replace(/^::/, `${mark} `), mark);

describe('a line of the command', () => {
  it.each([
    ['::progress 40', { kind: 'progress', body: { percent_complete: 40 } }],
    ['::progress 40% half  way', { kind: 'progress', body: { percent_complete: 40, comment: 'half  way' } }],
    ['::progress {"estimate_remaining":"2h"}', { kind: 'progress', body: { estimate_remaining: '2h' } }],
    ['::comment  Tests are next. ', { kind: 'progress', body: { comment: 'Tests are next.' } }],
    ['::plan tests pass', { kind: 'milestone', milestone: { name: 'tests pass', completed: false } }],
    ['::milestone tests pass', { kind: 'milestone', milestone: { name: 'tests pass', completed: true } }],
    ['::artifact {"kind":"commit","sha":"a1"}', { kind: 'artifact', body: { kind: 'commit', sha: 'a1' } }],
    ['::ask {"kind":"question","prompt":"Why?"}', { kind: 'ask', body: { kind: 'question', prompt: 'Why?' } }],
    ['::checkpoint {"data":{"at":3}}', { kind: 'checkpoint', body: { data: { at: 3 } } }],
    ['::result {"sha":"a1"}', { kind: 'result', body: { sha: 'a1' } }],
    ['::scores {"code_quality":90}', { kind: 'scores', body: { code_quality: 90 } }],
    ['::handoff {"to":{"role":"qa"},"summary":"s"}', { kind: 'handoff', body: { to: { role: 'qa' }, summary: 's' } }],
    ['::release {"reason":"later"}', { kind: 'release', body: { reason: 'later' } }],
    ['::summary Done.', { kind: 'summary', text: 'Done.' }],
    ['::fail There is no such branch.', { kind: 'fail', text: 'There is no such branch.' }],
  ])('%s speaks to the service', (line, said) => {
    expect(read(line)).toEqual(said);
  });

  it.each(['', 'plain text', ':: progress 40', ' ::progress 40', '::', '::Progress 40', 'std::vector', '::1', '::x:y'])(
    '%j is the command’s own affair',
    (line) => {
      expect(read(line)).toBeUndefined();
    },
  );

  it.each([
    ['::progress', 'progress must be followed by a number from 0 to 100 or a JSON object'],
    ['::progress half', 'progress must be followed by a number from 0 to 100 or a JSON object'],
    ['::progress 1e3', 'progress must be followed by a number from 0 to 100 or a JSON object'],
    ['::comment', 'comment must be followed by a text'],
    ['::milestone  ', 'milestone must be followed by a name'],
    ['::fail', 'fail must be followed by a text'],
    ['::artifact', 'artifact must be followed by a JSON object on the same line'],
    ['::artifact {"kind":', 'artifact must be followed by a JSON object on the same line'],
    ['::result [1]', 'result must be followed by a JSON object on the same line'],
    ['::ask null', 'ask must be followed by a JSON object on the same line'],
    ['::shout loud', 'shout is not a known marker'],
  ])('%s is reported as misspoken', (line, problem) => {
    expect(read(line)).toEqual({ kind: 'misspoken', problem });
  });

  it.each(['::progress 40', '::fail No.', '::0123456789abcdef fail No.'])(
    'without the mark is none for the runner, whatever wrote it: %s',
    (line) => {
      expect(readLine(line, mark)).toBeUndefined();
    },
  );

  it('that is for the runner but lacks the mark is detected', () => {
    expect(['::progress 40', '::fail'].map(isUnmarked)).toEqual([true, true]);
    expect(['std::fail', '::failure', 'x ::fail', `${mark} fail x`].map(isUnmarked)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
