import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { keepSecret } from './kept-secret.ts';
import { StartError } from '@eas/core';

const missing =
  'Invalid setting: ENCRYPTION_KEY (expected 32 bytes in base64 because DATABASE_URL is set; create them with openssl rand -base64 32).';

/** Never made for a database of one's own: that outlives this machine. Throws a StartError when it is missing there. */
export function encryptionKeyOf(config: Config): string {
  if (config.encryptionKeys) return config.encryptionKeys.join(',');
  if (config.databaseUrl) throw new StartError(missing);
  return keepSecret(config.dataDir, 'encryption-key', () => randomBytes(32).toString('base64')).value;
}
