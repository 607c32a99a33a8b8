export type IntakeLimits = {
  /** Longest pause in a body. */
  stallMs: number;
  /** A body may take this long, and a second more for each `minBytesPerSecond` received, but at most `maxMs`. */
  graceMs: number;
  minBytesPerSecond: number;
  maxMs: number;
  /** Bytes of bodies that are in memory: those being read, and those whose request has no response yet. */
  maxBytes: number;
  maxBytesOfAddress: number;
  /** Bytes per second that an address may send, and twice that at once; the first `freeBytes` of each body are free. */
  bytesPerSecondOfAddress: number;
  freeBytes: number;
  /** Bodies that are not complete. */
  maxUnfinished: number;
  maxUnfinishedOfAddress: number;
};

export const defaultIntakeLimits: IntakeLimits = {
  stallMs: 15_000,
  graceMs: 15_000,
  minBytesPerSecond: 16_384,
  maxMs: 60_000,
  maxBytes: 134_217_728,
  maxBytesOfAddress: 33_554_432,
  bytesPerSecondOfAddress: 4_194_304,
  freeBytes: 65_536,
  maxUnfinished: 4_096,
  maxUnfinishedOfAddress: 512,
};

type Progress = { request: { socket: { bytesRead: number } } } & {
  startedMs: number;
  bytesAtStart: number;
  bytesSeen: number;
  movedMs: number;
  heldUntilMs: number;
};

/** Whether a body stalls, or is too slow. Records its progress. */
export function isTooSlow(body: Progress, nowMs: number, limits: IntakeLimits): boolean {
  const { bytesRead } = body.request.socket;
  if (bytesRead !== body.bytesSeen) Object.assign(body, { bytesSeen: bytesRead, movedMs: nowMs });
  if (nowMs - Math.max(body.movedMs, body.heldUntilMs) >= limits.stallMs) return true;
  const earnedMs = ((bytesRead - body.bytesAtStart) / limits.minBytesPerSecond) * 1_000;
  return nowMs - body.startedMs > Math.min(limits.maxMs, limits.graceMs + earnedMs);
}
