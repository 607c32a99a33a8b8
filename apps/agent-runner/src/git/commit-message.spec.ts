import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commitMessage } from './commit-message.ts';

const from = { taskId: 'tsk_1', attempt: 2 };

describe('the message of a commit', () => {
  it('is the title of the task, with the task and the attempt as trailers', () =>
    expect(commitMessage({ title: ' Limit  failed\nlogins ', ...from })).toBe(
      'Limit failed logins\n\nTask-Id: tsk_1\nTask-Attempt: 2\n',
    ));

  it('has one short line before the trailers, whatever the title is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (title) => {
        const [subject = '', empty, ...trailers] = commitMessage({ title, ...from }).split('\n');
        expect(subject.trim().length).toBeGreaterThan(0);
        expect(subject.length).toBeLessThanOrEqual(72);
        expect([empty, trailers]).toEqual(['', ['Task-Id: tsk_1', 'Task-Attempt: 2', '']]);
      }),
    );
  });
});
