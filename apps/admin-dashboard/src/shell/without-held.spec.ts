import { describe, expect, it } from '@jest/globals';
import { withoutHeld } from './without-held.ts';

describe('what is decided and can still be undone', () => {
  it('is neither listed nor counted as waiting', () => {
    const data = [{ id: 'inp_1' }, { id: 'inp_2' }];
    const inputs = { data, metadata: { total: 300, total_relation: 'gte' } };
    expect(withoutHeld(inputs, ['inp_2', 'tsk_1'])).toEqual({
      data: [{ id: 'inp_1' }],
      metadata: { total: 299, total_relation: 'gte' },
    });
    expect(withoutHeld({ data, pagination: { total_count: 2 } }, ['inp_1', 'inp_2'])).toEqual({
      data: [],
      pagination: { total_count: 0 },
    });
  });
});
