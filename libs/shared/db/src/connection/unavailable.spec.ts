import { describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable, isUnavailable, Unavailable } from './unavailable.ts';

const withCode = (code: string) => Object.assign(new Error('no'), { code });

describe('a store that is unavailable', () => {
  it.each([
    ['refuses connections', withCode('ECONNREFUSED')],
    ['starts up', withCode('57P03')],
    ['has no space on its disk', withCode('53100')],
    ['is a standby since a failover', withCode('25006')],
    ['broke a statement off that took too long', withCode('57014')],
    ['broke a statement off that waited too long for a lock', withCode('55P03')],
    ['was refused a statement for that', new Unavailable('Try again.')],
    ['breaks off', new Error('Connection terminated unexpectedly')],
    [
      'broke off before the statement was sent',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
    ['gives no response', new Error('Query read timeout')],
    ['has no connection to give', new Error('timeout exceeded when trying to connect')],
    ['is the cause of another error', new Error('no', { cause: withCode('EPIPE') })],
  ])('%s', (_, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each([
    ['a mistake in SQL', withCode('42601')],
    ['any other error', new Error('no')],
    ['a text', 'no'],
  ])('is not %s', (_, error) => {
    expect(isUnavailable(error)).toBe(false);
  });

  it('is not the database if another service refuses connections', () => {
    expect(isDatabaseUnavailable(withCode('ECONNREFUSED'))).toBe(false);
    expect(isDatabaseUnavailable(new Error('no', { cause: withCode('57P03') }))).toBe(true);
  });
});
