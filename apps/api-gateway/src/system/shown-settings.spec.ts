import { list, listSettings, setting, text } from '@eas/runtime';
import { describe, expect, it } from '@jest/globals';
import { configShape, loadConfig } from '../config.ts';
import { showSettings } from './shown-settings.ts';

const secrets = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  BOOTSTRAP_API_KEY: 'bootstrap_key_of_this_test_only',
  BOOTSTRAP_OAUTH_CLIENT: JSON.stringify({
    client_id: 'shop',
    client_secret: 'hush-hush-hush-hush-hush',
    redirect_uris: ['https://a.test/cb'],
  }),
  ADMIN_EMAIL: 'ada@example.com',
  ADMIN_PASSWORD: 'never shown to anybody',
};
const env = {
  ...secrets,
  DATABASE_URL: 'postgresql://eas:pg-hush@db.test/eas?password=pg-hush',
  REDIS_URL: 'rediss://:redis-hush@one.test:6379,rediss://two.test:6379',
  RECEIVER_URL: 'http://user:url-hush@receiver.test',
  TRUST_PROXY: '10.0.0.0/8,::1/128',
};
const settings = showSettings(configShape, loadConfig(env));
const shown = (name: string) => settings.find((one) => one.name === name);

describe('the settings that are shown', () => {
  it('are all of the process, by name, with their values in force', () => {
    expect(settings.map(({ name }) => name)).toEqual(
      listSettings(configShape)
        .map(({ variable }) => variable)
        .sort(),
    );
    expect(shown('TRUST_PROXY')).toMatchObject({ value: '10.0.0.0/8,::1/128', is_set: true, is_default: false });
    expect(shown('LEASE_SECONDS')).toMatchObject({ value: '60', is_set: true, is_default: true, is_secret: false });
    expect(shown('BASE_URL')).toMatchObject({ value: null, is_set: false, is_default: true });
  });

  it('hold no secret, no password of an address, and nothing made from one', () => {
    const all = JSON.stringify(settings);
    for (const hidden of ['hush', secrets.ENCRYPTION_KEY, secrets.BOOTSTRAP_API_KEY, secrets.ADMIN_PASSWORD])
      expect(all).not.toContain(hidden);
    expect(shown('ENCRYPTION_KEY')).toMatchObject({ value: null, is_set: true, is_secret: true });
    expect(shown('DATABASE_URL')?.value).toBe('postgresql://eas@db.test/eas');
    expect(shown('RECEIVER_URL')?.value).toBe('http://receiver.test');
    expect(shown('REDIS_URL')?.value).toContain('one.test:6379');
  });

  it('are secret if their name suggests it', () => {
    const named = settings.filter(({ name }) => /KEY$|SECRET$|PASSWORD|TOKEN|OAUTH_CLIENT/.test(name));
    expect(named.filter((one) => !one.is_secret)).toEqual([]);
    expect(named).toHaveLength(4);
  });

  it('leave out user and password of each address in a list', () => {
    const shape = { peers: setting('PEERS', list().describe('Peers.')), name: setting('NAME', text().describe('N.')) };
    const [name, peers] = showSettings(shape, { peers: ['a=http://u:p@h:1', 'b=http://h'], name: 'a@b' });
    expect([name?.value, peers?.value]).toEqual(['a@b', 'a=http://h:1,b=http://h']);
  });
});
