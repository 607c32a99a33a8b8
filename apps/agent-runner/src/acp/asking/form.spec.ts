import { formInput } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from './form.ts';
import { formQuestion } from './form-question.ts';
import { formIn } from './tool-questions.ts';

const said = (answer: string, comment?: string) => ({ answer, content: undefined, comment });

describe('a form of an agent', () => {
  it('with choices and a field for free words next to them is one choice, whose comment goes to that field', () => {
    // As Claude Code's adapter 0.101.0 sends it.
    const colour = {
      type: 'string',
      title: 'Choice',
      oneOf: ['red', 'blue'].map((value) => ({ const: value, title: value })),
    };
    const fields = fieldsOf('Which colour?', {
      type: 'object',
      properties: { question_0: colour, question_0_custom: { type: 'string', title: 'Other' } },
    });
    expect(fields).toMatchObject([
      {
        name: 'question_0',
        note: 'question_0_custom',
        question: { kind: 'choice', prompt: 'Which colour?', options: ['red', 'blue'] },
      },
    ]);
    expect(fields?.[0]?.valueOf(said('blue'))).toBe('blue');
  });

  it('asks for each of several fields, by name', () => {
    const fields = fieldsOf('Set it up.', {
      properties: {
        port: { type: 'integer', title: 'Port' },
        secure: { type: 'boolean' },
        hosts: { type: 'array', items: { enum: ['a', 'b'] } },
      },
    });
    expect(fields?.map(({ question }) => question)).toEqual([
      { kind: 'question', prompt: 'Set it up.\nPort', options: [] },
      { kind: 'choice', prompt: 'Set it up.\nsecure', options: ['yes', 'no'] },
      { kind: 'question', prompt: 'Set it up.\nhosts\nSeveral are possible, separated by commas: a, b', options: [] },
    ]);
    const values = ['8080', 'no', 'b, a, c'].map((answer, at) => fields?.[at]?.valueOf(said(answer)));
    expect(values).toEqual([8080, false, ['b', 'a']]);
    expect(fields?.[0]?.valueOf(said('many'))).toBeUndefined();
  });

  it('with options that the service does not take is a question that names them', () => {
    const [field] = fieldsOf('Which?', { properties: { one: { type: 'string', enum: ['only'] } } }) ?? [];
    expect(field?.question).toEqual({ kind: 'question', prompt: 'Which?\nOne of these: only', options: [] });
    expect(field?.valueOf(said('another'))).toBe('another');
  });

  it('without fields, or with too many, is not asked', () => {
    expect(fieldsOf('Go to this page.', {})).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`f${at}`, { type: 'string' }]));
    expect(fieldsOf('All of them.', { properties: many })).toBeUndefined();
  });

  it('is one question for the service, without what only the agent knows of it', () => {
    const own = { _meta: { isCustomAnswer: true }, description: null };
    const colour = { type: 'string', title: 'Choice', oneOf: [{ const: 'red', title: 'red', ...own }], ...own };
    const properties = { question_0: colour, hosts: { type: 'array', items: { type: 'string', enum: ['a'], ...own } } };
    const question = formQuestion('Which colour?', { type: 'object', properties, required: null, ...own });
    const form = {
      type: 'object',
      properties: {
        question_0: { type: 'string', title: 'Choice', oneOf: [{ const: 'red', title: 'red' }] },
        hosts: { type: 'array', items: { type: 'string', enum: ['a'] } },
      },
    };
    expect(question).toEqual({ kind: 'form', prompt: 'Which colour?', form });
    expect(formInput.safeParse(form).success).toBe(true);
    expect(formQuestion('Go to this page.', {})).toBeUndefined();
    expect(formQuestion('Go to this page.', { properties: {} })).toBeUndefined();
  });

  it('is also the questions of Qwen Code, which come as a request for permission', () => {
    const question = { question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }], multiSelect: false };
    const call = (...qwenQuestions: object[]) => ({
      toolCall: { toolCallId: 'call_1', rawInput: {}, _meta: { qwenQuestions } },
      options: [],
    });
    const colour = { type: 'string', title: 'Which colour?', enum: ['red', 'blue'] };
    expect(formIn(call(question))).toEqual({
      message: 'Which colour?',
      schema: { type: 'object', properties: { 0: colour } },
    });
    const several = formIn(call(question, { ...question, question: 'Which sizes?', multiSelect: true }));
    expect(several?.schema).toMatchObject({ properties: { 1: { type: 'array', title: 'Which sizes?' } } });
    expect(formIn({ toolCall: { toolCallId: 'call_2', rawInput: {} }, options: [] })).toBeUndefined();
  });
});
