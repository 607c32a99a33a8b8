import { resolve } from 'node:path';
import { loadSettings } from '@eas/runtime';
import { describe, expect, it } from '@jest/globals';
import { configShape } from '../config.ts';
import { checkSettings } from './check-settings.ts';

const root = resolve(import.meta.dirname, '../../../..');
const check = (env: Record<string, string>) =>
  checkSettings({ ...loadSettings(configShape, env), root, inheritedEnv: env, shutdown: { seconds: 1 } });

describe('the settings of all apps, before anything starts', () => {
  it('fit when nothing is set, and are named', async () => {
    await expect(check({})).resolves.toEqual(expect.arrayContaining(['PORT', 'DATABASE_URL', 'WEBHOOK_CONCURRENCY']));
  });

  it('are all named in one sentence, each once, although several apps read them', async () => {
    const env = { DB_POOL: 'many', LEASE_SECONDS: '0', WORKFLOW_CONCURRENCY: 'x', WEBHOOK_RETRY_SCHEDULE: 'soon' };
    const message = await check(env).catch((error: Error) => error.message);
    expect(message).toMatch(/^Invalid settings: .*DB_POOL \(expected an integer from 1 to 200\)/);
    for (const name of Object.keys(env)) expect(String(message).split(name)).toHaveLength(2);
  });

  it('hold a first key that could never be used', async () => {
    await expect(check({ BOOTSTRAP_API_KEY: `eas_live_${'0'.repeat(38)}` })).rejects.toThrow(
      'Invalid setting: BOOTSTRAP_API_KEY (expected a key with a valid checksum after eas_).',
    );
  });
});
