export { addressBlock } from './address-block.ts';
export { AppError, type AppErrorOptions, type Constraint, type ErrorCode, type Violation } from './app-error.ts';
export { assertNever } from './assert-never.ts';
export { assertVersion } from './assert-version.ts';
export { addJitterMs, exponentialBackoffMs } from './backoff.ts';
export { type Clock, formatHours, formatTimestamp, systemClock } from './clock.ts';
export { type IdKind, idLowerBound, idPrefixes, idTimeMs, isId, newId } from './ids.ts';
export { type LogMethod, type Logger } from './logger.ts';
export { createSecretBox, type SealPlace, type SecretBox } from './secret-box.ts';
