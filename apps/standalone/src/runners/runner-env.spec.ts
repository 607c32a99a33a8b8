import { loadSettings } from '@eas/runtime';
import { expect, it } from '@jest/globals';
import { type Config, configShape } from '../config.ts';
import { checkSettings } from '../preparation/check-settings.ts';
import { runnerEnv } from './runner-env.ts';

const root = new URL('../../../..', import.meta.url).pathname;
const config: Config = {
  ...loadSettings(configShape, {}),
  root,
  dataDir: root,
  inheritedEnv: {},
  shutdown: { seconds: 1 },
};

it('a runner gets none of the settings of the service, and all that a coding agent needs', async () => {
  const needed = { PATH: '/bin', HOME: '/root', ANTHROPIC_API_KEY: 'a', HTTPS_PROXY: 'p', SSH_AUTH_SOCK: 's' };
  const ofService = {
    DATABASE_URL: 'postgresql://eas:secret@h/d',
    MIGRATE_DATABASE_URL: 'postgresql://owner:secret@h/d',
    REDIS_URL: 'redis://:secret@h',
    ENCRYPTION_KEY: 'k',
    REDIS_URL_FILE: '/run/secrets/redis',
    BOOTSTRAP_API_KEY: 'k',
    BOOTSTRAP_OAUTH_CLIENT: '{}',
    ADMIN_PASSWORD: 'p',
    OTEL_EXPORTER_OTLP_HEADERS: 'h',
    PORT: '3000',
    PGPASSWORD: 'p',
    API_KEY: 'k',
  };
  expect(runnerEnv({ ...needed, ...ofService }, await checkSettings(config))).toEqual(needed);
});
