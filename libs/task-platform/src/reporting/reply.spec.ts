import { describe, expect, it } from '@jest/globals';
import { answerOf, type PostedQuestion, type Reply } from './reply.ts';

const question = (
  over: Partial<PostedQuestion['input']> = {},
  posted: Partial<PostedQuestion> = {},
): PostedQuestion => ({
  input: { id: 'inp_1', kind: 'question', options: [], form: null, ...over },
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
const permission = question({ kind: 'permission' });
const database = {
  type: 'string' as const,
  title: 'Database',
  oneOf: [
    { const: 'pg', title: 'Postgres' },
    { const: 'lite', title: 'SQLite' },
  ],
};
const choosing = { database, database_custom: { type: 'string' as const, title: 'Other' } };
const sole = question({ kind: 'form', form: { type: 'object', properties: choosing } });
const form = question({
  kind: 'form',
  form: {
    type: 'object',
    properties: {
      ...choosing,
      port: { type: 'integer' },
      hosts: { type: 'array', items: { enum: ['a', 'b'] } },
      secure: { type: 'boolean' },
    },
  },
});

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

  it.each([
    ['allow', 'allow_once'],
    ['Allow once.', 'allow_once'],
    ['always', 'allow_always'],
    ['allow always', 'allow_always'],
    ['Denied', 'reject'],
    ['@answer yes, go ahead', 'allow_once'],
    ['@answer reject: not on Friday', 'reject'],
  ])('decides about a permission by %s: %s', (text, decision) => {
    expect(answerOf([permission], reply(text))?.body.decision).toBe(decision);
  });

  it.each(['yes', 'no', 'approve', 'allow it when Ada is back', 'always the same with you', 'allowance'])(
    'does not decide about a permission by %s',
    (text) => {
      expect(answerOf([permission], reply(text))).toBeUndefined();
    },
  );

  it.each<[string, string, string | undefined]>([
    ['Always ask me before you push', 'permission', undefined],
    ['No problem, go ahead', 'permission', undefined],
    ['Allow me to look first', 'permission', undefined],
    ['Always, but ask me before you push', 'permission', undefined],
    ['Always\nwhen Ada is here', 'permission', undefined],
    ['Allow?', 'permission', undefined],
    ['Always.', 'permission', 'allow_always'],
    ['Allow always!', 'permission', 'allow_always'],
    ['No: Ada pushes it', 'permission', 'reject'],
    ['No, ask Ada', 'permission', 'reject'],
    ['Allow once.\nTell me when it is done', 'permission', 'allow_once'],
    ['Allow\r\nwhen it is green', 'permission', 'allow_once'],
    ['reject - not on Friday', 'permission', 'reject'],
    ['allow-list it', 'permission', undefined],
    ['No problem, go ahead', 'approval', undefined],
    ['Approve it when Ada is back', 'approval', undefined],
    ['Reject what Ada says', 'approval', undefined],
    ['Yes, go ahead', 'approval', 'approve'],
    ['Approved – well done', 'approval', 'approve'],
  ])('in the thread of the question, %j decides about the %s: %s', (text, kind, decision) => {
    const asked = kind === 'approval' ? approval : permission;
    const body = decision && { decision, comment: text };
    expect(answerOf([asked], reply(text, { parentId: 'c1' }))?.body).toEqual(body);
  });

  it('fills in the fields of a form, by their keys or titles, one a line', () => {
    const text = 'port: 80\nDatabase: postgres\n\nhosts: A, c\nsecure: yes\ndatabase_custom: with: TLS';
    expect(answerOf([form], reply(text))?.body.content).toEqual({
      port: 80,
      database: 'pg',
      hosts: ['a', 'c'],
      secure: true,
      database_custom: 'with: TLS',
    });
    // Whether it fits is checked where it is answered.
    expect(answerOf([form], reply('port: many'))?.body.content).toEqual({ port: 'many' });
  });

  it('does not fill in a form with other lines among its own', () => {
    expect(answerOf([form], reply('port: 80\nI think so.'))).toBeUndefined();
    expect(answerOf([form], reply('by the way: 80'))).toBeUndefined();
    expect(answerOf([form], reply('constructor: 80'))).toBeUndefined();
  });

  it('chooses an option of a form with one field as of a choice', () => {
    expect(answerOf([sole], reply('2'))?.body.content).toEqual({ database: 'lite' });
    expect(answerOf([sole], reply('postgres'))?.body.content).toEqual({ database: 'pg' });
    expect(answerOf([sole], reply('MySQL'))).toBeUndefined();
  });
});
