import type { Logger } from '@eas/core';

/** Says nothing. */
export const silentLogger: Logger = { error() {}, warn() {}, info() {}, debug() {} };
