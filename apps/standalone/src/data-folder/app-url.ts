import { randomBytes } from 'node:crypto';
import { keepSecret } from './kept-secret.ts';

/** The role of the apps in the embedded database, which may not change its tables. */
const role = 'eas_app';

/** The address of the embedded database for the apps; their password is made once. */
export function appUrl(dataDir: string, ownerUrl: string): string {
  const address = new URL(ownerUrl);
  address.username = role;
  address.password = keepSecret(dataDir, 'postgres-app-password', () => randomBytes(24).toString('base64url')).value;
  return address.toString();
}
