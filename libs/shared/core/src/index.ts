export { addressBlock } from './address-block.ts';
export { AppError, type AppErrorOptions, type ErrorCode } from './app-error.ts';
export { assertNever } from './assert-never.ts';
export { assertVersion } from './assert-version.ts';
export { addJitterMs, exponentialBackoffMs } from './backoff.ts';
export { type Clock, formatHours, formatTimestamp, systemClock } from './clock.ts';
export { type IdKind, idLowerBound, idPrefixes, idTimeMs, isId, newId } from './ids.ts';
export { hasMembers, isJsonObject, type JsonObject, valueAt } from './json/json-value.ts';
export { findText, isBrokenText, jsonLimits, type JsonProblem, type ParsedJson, parseJson } from './json/parse-json.ts';
export { type JsonScan, scanJson, type WantedTexts, wantedTexts } from './json/scan-json.ts';
export { type LogMethod, type Logger } from './logger.ts';
export { deriveKeys } from './derive-keys.ts';
export { createPauses } from './pauses.ts';
export { createSecretBox, keyIdOf, type SealedCell, type SecretBox } from './secret-box.ts';
export { createFairLanes, type FairLanes, type FairLanesOptions } from './sharing/fair-lanes.ts';
export { createPace, type Pace, type PaceOptions } from './sharing/pace.ts';
export { createRounds, type Rounds } from './sharing/rounds.ts';
export { createShares, type Leave, type Shares } from './sharing/shares.ts';
export { sleepUntilWoken } from './sharing/sleep-until-woken.ts';
export { StartError, unusable, unusablePort, withoutPassword } from './start-error.ts';
export {
  currentTraceparent,
  setTracer,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  type Tracer,
  tracer,
} from './tracing/tracer.ts';
export { type Constraint, type Violation, violationSentence } from './violation.ts';
