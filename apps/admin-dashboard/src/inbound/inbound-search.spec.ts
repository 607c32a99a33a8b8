import { describe, expect, it } from '@jest/globals';
import { readInboundSearch } from './inbound-search.ts';

describe('the address of the received webhooks', () => {
  it('names filters and a replay', () => {
    const search = { state: 'failed', integration_id: 'int_1', event: 'taskCreated', replay: 'irp_1' };
    expect(readInboundSearch(search)).toEqual(search);
  });

  it.each([[{ state: 'lost' }], [{ event: '' }], [{ event: { a: 1 } }], [{ unknown: 'x' }]])(
    'opens without what it does not know: %j',
    (search) => {
      expect(readInboundSearch(search)).toEqual({});
    },
  );
});
