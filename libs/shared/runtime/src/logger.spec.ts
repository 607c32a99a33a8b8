import { StartError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.ts';

function logOnce(fields: Record<string, unknown>): Record<string, unknown> {
  const lines: string[] = [];
  const logger = createLogger({ name: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  logger.debug({}, 'too little to say');
  logger.info(fields, 'happened');
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

describe('createLogger', () => {
  it('writes one JSON line with the process, the level as a word and the message', () => {
    const line = logOnce({ taskId: 'tsk_1' });
    expect(line).toMatchObject({ name: 'test', level: 'info', msg: 'happened', taskId: 'tsk_1' });
  });

  it('blanks out secrets at the top, and one and two levels below', () => {
    const text = JSON.stringify(
      logOnce({
        secret: 'hunter2',
        endpoint: { secret: 'hunter2' },
        request: { headers: { authorization: 'hunter2', 'x-api-key': 'hunter2', cookie: 'hunter2' } },
        headers: { 'x-api-key': 'hunter2' },
      }),
    );
    expect(text).not.toContain('hunter2');
  });

  it('logs only the sentence of a StartError, without the cause that it repeats', () => {
    const error = new StartError('Redis cannot be used: away.', new Error('away'));
    expect(logOnce({ err: error })['err']).toEqual({ type: 'StartError', message: 'Redis cannot be used: away.' });
  });

  it('logs an error with its stack under err', () => {
    expect(logOnce({ err: new Error('away') })['err']).toMatchObject({ message: 'away', stack: expect.any(String) });
  });
});
