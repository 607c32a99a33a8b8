import { describe, expect, it } from '@jest/globals';
import { answerOf, type PostedQuestion, type Reply } from './reply.ts';

const question = (
  over: Partial<PostedQuestion['input']> = {},
  posted: Partial<PostedQuestion> = {},
): PostedQuestion => ({
  input: { id: 'inp_1', kind: 'question', options: [], ...over },
  commentId: 'c1',
  date: 1_000,
  ...posted,
});
const reply = (text: string, over: Partial<Reply> = {}): Reply => ({
  author: 'John',
  text,
  parentId: 't1',
  at: 2_000,
  ...over,
});
const choice = question({ kind: 'choice', options: ['Postgres', 'Postgres 18', 'SQLite'] });
const approval = question({ kind: 'approval' });

describe('a comment of a person', () => {
  it('answers the question that it replies to, with all of its text', () => {
    const other = question({ id: 'inp_2' }, { commentId: 'c2' });
    expect(answerOf([question(), other], reply('Five a minute.\n', { parentId: 'c2' }))).toEqual({
      inputId: 'inp_2',
      body: { answer: 'Five a minute.' },
      author: 'John',
    });
  });

  it('answers the oldest question when it begins with @answer', () => {
    const answered = answerOf([question(), question({ id: 'inp_2' })], reply('@Answer: five'));
    expect(answered).toEqual({ inputId: 'inp_1', body: { answer: 'five' }, author: 'John' });
  });

  it('is only a comment when it says neither', () => {
    expect(answerOf([question()], reply('I will ask around.'))).toBeUndefined();
    expect(answerOf([question()], reply('@answer   '))).toBeUndefined();
    expect(answerOf([question()], reply('@answers are hard'))).toBeUndefined();
  });

  it('answers nothing that was asked after it', () => {
    expect(answerOf([question({}, { date: 3_000 })], reply('@answer five'))).toBeUndefined();
    expect(answerOf([question({}, { date: null })], reply('@answer five'))).toBeDefined();
  });

  it.each([
    ['2', 'Postgres 18'],
    ['3)', 'SQLite'],
    ['postgres', 'Postgres'],
    ['@answer postgres 18, as before', 'Postgres 18'],
    ['@answer 1 please', 'Postgres'],
  ])('chooses by %s the option %s', (text, option) => {
    expect(answerOf([choice], reply(text))?.body.answer).toBe(option);
  });

  it.each(['4', '2 people asked me', 'Postgres is what I know', '0', '@answer MySQL'])(
    'does not choose by %s',
    (text) => {
      expect(answerOf([choice], reply(text))).toBeUndefined();
    },
  );

  it.each([
    ['approve', 'approve'],
    ['Rejected.', 'reject'],
    ['@answer yes, go ahead', 'approve'],
    ['@answer no', 'reject'],
  ])('decides by %s: %s', (text, decision) => {
    expect(answerOf([approval], reply(text))?.body.decision).toBe(decision);
  });

  it.each(['no', 'yes', 'no idea', 'approve it when Ada is back', 'nothing'])('does not decide by %s', (text) => {
    expect(answerOf([approval], reply(text))).toBeUndefined();
  });

  it('keeps what the person adds to a decision', () => {
    const answered = answerOf([approval], reply('reject: not before Monday', { parentId: 'c1' }));
    expect(answered?.body).toEqual({ decision: 'reject', comment: 'reject: not before Monday' });
  });
});
