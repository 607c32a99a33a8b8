import { hkdfSync } from 'node:crypto';

/**
 * A key for another purpose from each encryption key (32 bytes in base64), in base64url: all processes of an
 * installation have the same ones. The first makes, all verify.
 */
export const deriveKeys = (encryptionKeys: readonly string[], purpose: string): string[] =>
  encryptionKeys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', purpose, 32)).toString('base64url'),
  );
