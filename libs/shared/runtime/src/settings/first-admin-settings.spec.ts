import { describe, expect, it } from '@jest/globals';
import { firstAdminSettings, requireWholeFirstAdmin } from './first-admin-settings.ts';
import { loadSettings } from './load-settings.ts';

const read = (env: Record<string, string>) => {
  const settings = loadSettings(firstAdminSettings, env);
  requireWholeFirstAdmin(settings);
  return settings;
};
const email = 'ada@example.com';
const password = 'a few words in a row';

describe('the settings of the first admin', () => {
  it('are both set or both unset', () => {
    expect(read({})).toEqual({ email: undefined, password: undefined });
    expect(read({ ADMIN_EMAIL: email, ADMIN_PASSWORD: password })).toEqual({ email, password });
  });

  it.each([
    [{ ADMIN_EMAIL: email }, 'Invalid setting: ADMIN_PASSWORD (expected a value because ADMIN_EMAIL is set).'],
    [{ ADMIN_PASSWORD: password }, 'Invalid setting: ADMIN_EMAIL (expected a value because ADMIN_PASSWORD is set).'],
    [{ ADMIN_EMAIL: 'ada', ADMIN_PASSWORD: password }, 'Invalid setting: ADMIN_EMAIL (expected an e-mail address).'],
    [
      { ADMIN_EMAIL: email, ADMIN_PASSWORD: 'short' },
      'Invalid setting: ADMIN_PASSWORD (expected 12 to 256 characters).',
    ],
  ])('stop the process with a sentence that names what is wrong: %j', (env, sentence) => {
    expect(() => read(env as Record<string, string>)).toThrow(sentence);
  });
});
