import { describe, expect, it } from '@jest/globals';
import { createAlerts, createLastErrors, readAlert } from './alerts.ts';

const line = JSON.stringify({ level: 'warn', msg: 'queue away', err: { message: 'connection refused' } });

describe('readAlert', () => {
  it('makes a sentence of a log line', () => {
    expect(readAlert('webhook-dispatcher', line)).toBe('webhook-dispatcher warn: queue away (connection refused)');
  });

  it('keeps what is no log line', () => {
    expect(readAlert('api-gateway', 'Error: boom')).toBe('api-gateway: Error: boom');
    expect(readAlert('api-gateway', '{broken')).toBe('api-gateway: {broken');
    expect(readAlert('api-gateway', '  ')).toBe('');
  });
});

describe('createAlerts', () => {
  it('counts what repeats and shows it again after a while', () => {
    const written: string[] = [];
    const show = createAlerts((text) => written.push(text));
    for (const now of [0, 100, 200, 10_001]) show('api-gateway', line, now);
    expect(written).toEqual([
      'api-gateway warn: queue away (connection refused)',
      'api-gateway warn: queue away (connection refused) (2 more before)',
    ]);
  });
});

describe('why an app ended', () => {
  it('is the line of the error, not the end of the stack', () => {
    const errors = createLastErrors();
    const crash = [
      'file:///app/main.ts:3',
      'throw new TypeError()',
      '',
      'TypeError: no such thing',
      '    at main.ts:3',
      '',
      'Node.js v24.1.0',
    ];
    for (const line of crash) errors.add('api-gateway', line);
    expect(errors.of('api-gateway')).toBe('api-gateway: TypeError: no such thing');
  });

  it('is the last line where none names an error', () => {
    const errors = createLastErrors();
    errors.add('api-gateway', 'Invalid setting: PORT.');
    expect([errors.of('api-gateway'), errors.of('webhook-receiver')]).toEqual([
      'api-gateway: Invalid setting: PORT.',
      undefined,
    ]);
  });
});
