import { describe, expect, it } from '@jest/globals';
import { heartbeatText } from './frame.ts';

describe('a heartbeat', () => {
  it('ends no event while the position is unchanged, so that clients report none', () => {
    expect(heartbeatText(7, 7)).toBe(': heartbeat\n');
  });

  it('has the position where it has moved past entries that the client does not see', () => {
    expect(heartbeatText(9, 7)).toBe(': heartbeat\nid: 9\n\n');
  });
});
