import { deriveKeys } from '@eas/core';

/** One for each encryption key, so all gateways have the same ones: the first signs, all verify. */
export const cookieKeys = (encryptionKeys: readonly string[]): string[] => deriveKeys(encryptionKeys, 'oauth cookies');
