import { hkdfSync } from 'node:crypto';

/**
 * Derives a key for another purpose from each encryption key (32 bytes in base64), in base64url. All processes of an
 * installation get the same keys. The first one creates, all verify.
 */
export const deriveKeys = (encryptionKeys: readonly string[], purpose: string): string[] =>
  encryptionKeys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', purpose, 32)).toString('base64url'),
  );
