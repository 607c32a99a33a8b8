import { hkdfSync } from 'node:crypto';

/**
 * Keys that sign the cookies of an authorization in progress, one for each encryption key: all gateways have the same
 * ones, the first signs, all verify.
 */
export const cookieKeys = (encryptionKeys: readonly string[]): string[] =>
  encryptionKeys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'oauth cookies', 32)).toString('base64url'),
  );
