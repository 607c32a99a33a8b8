import { describe, expect, it } from '@jest/globals';
import { accessLogParts } from './access-log-parts.ts';
import { loadSettings } from './settings/load-settings.ts';
import { createLogger } from './logger.ts';
import { accessLogSettings, loggingSettings } from './settings/setting-groups.ts';

const load = (env: Record<string, string>) =>
  loadSettings({ accessLog: accessLogSettings, logging: loggingSettings }, env);

function linesWith(env: Record<string, string>) {
  const lines: string[] = [];
  const config = load(env);
  const logger = createLogger({ name: 'x', ...config.logging, destination: { write: (line) => lines.push(line) } });
  const parts = accessLogParts(logger, config);
  parts.logger.info({}, 'request completed');
  logger.info({}, 'another line');
  return { ...parts, messages: lines.map((line) => (JSON.parse(line) as { msg: string }).msg) };
}

describe('the access log of a process', () => {
  it.each([
    [{}, 'all'],
    [{ LOG_LEVEL: 'debug' }, 'all'],
    [{ LOG_LEVEL: 'warn' }, 'off'],
    [{ LOG_LEVEL: 'warn', ACCESS_LOG: 'errors' }, 'errors'],
    [{ ACCESS_LOG: 'off' }, 'off'],
  ] as [Record<string, string>, string][])('has the lines that %j asks for', (env, lines) => {
    expect(linesWith(env).lines).toBe(lines);
  });

  it('is written at every LOG_LEVEL, and no other line is written for it', () => {
    expect(linesWith({ LOG_LEVEL: 'error', ACCESS_LOG: 'all' }).messages).toEqual(['request completed']);
    expect(linesWith({ LOG_LEVEL: 'info' }).messages).toEqual(['request completed', 'another line']);
  });

  it('samples by a number from 0 to 1', () => {
    expect(linesWith({ ACCESS_LOG_SAMPLE: '0.05' }).sample).toBe(0.05);
    expect(linesWith({}).sample).toBe(1);
  });

  it.each([
    [{ ACCESS_LOG: 'some' }, /ACCESS_LOG \(expected off, errors or all\)/],
    [{ ACCESS_LOG: 'true' }, /ACCESS_LOG \(expected off, errors or all\)/],
    [{ ACCESS_LOG_SAMPLE: '5' }, /ACCESS_LOG_SAMPLE \(expected a number from 0 to 1\)/],
    [{ ACCESS_LOG_SAMPLE: '-0.1' }, /ACCESS_LOG_SAMPLE \(expected a number from 0 to 1\)/],
    [{ ACCESS_LOG_SAMPLE: '10%' }, /ACCESS_LOG_SAMPLE \(expected a number from 0 to 1\)/],
  ] as [Record<string, string>, RegExp][])('is refused with %j', (env, message) => {
    expect(() => load(env)).toThrow(message);
  });
});
