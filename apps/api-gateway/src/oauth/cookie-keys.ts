import { deriveKeys } from '@eas/core';

/**
 * Keys that sign the cookies of an authorization in progress, one for each encryption key: all gateways have the same
 * ones, the first signs, all verify.
 */
export const cookieKeys = (encryptionKeys: readonly string[]): string[] => deriveKeys(encryptionKeys, 'oauth cookies');
