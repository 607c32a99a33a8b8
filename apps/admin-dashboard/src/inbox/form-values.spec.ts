import { describe, expect, it } from '@jest/globals';
import { contentOf, type Form, keptValues, startOf } from './form-values.ts';

const form: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'Ada' },
    port: { type: 'integer', default: 80 },
    share: { type: 'number' },
    tls: { type: 'boolean', default: false },
    hosts: { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] },
  },
};

describe('the values of a form', () => {
  it('begin with what the agent filled in, and are what the API takes', () => {
    expect(startOf(form)).toEqual({ name: ['Ada'], port: ['80'], share: [], tls: ['false'], hosts: ['b'] });
    expect(contentOf(form, startOf(form))).toEqual({ name: 'Ada', port: 80, tls: false, hosts: ['b'] });
  });

  it('leave out what is empty, except options of which none has to be chosen', () => {
    const values = { name: [' '], port: [''], share: ['0.5'], tls: ['true'], hosts: [] };
    expect(contentOf(form, values)).toEqual({ share: 0.5, tls: true });
    expect(contentOf({ ...form, required: ['hosts'] }, values)).toEqual({ share: 0.5, tls: true, hosts: [] });
  });

  it('are sent to the API unchanged where they are invalid', () => {
    expect(contentOf(form, { port: ['many'], hosts: ['b', 'a'] })).toEqual({ port: 'many', hosts: ['a', 'b'] });
  });

  it('are kept while they are not sent', () => {
    const typed = { ...startOf(form), name: ['Grace'] };
    expect(keptValues(JSON.stringify(typed), startOf(form))).toEqual(typed);
    expect(keptValues('{"other":["x"],"name":7}', startOf(form))).toEqual(startOf(form));
  });
});
