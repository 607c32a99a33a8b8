import { randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, monotonicFactory } from 'ulid';

/** Prefix of every kind of identifier. Ids are `<prefix>_<ulid>` in lower case and sort by time of creation. */
export const idPrefixes = {
  agent: 'agt',
  task: 'tsk',
  lease: 'lse',
  input: 'inp',
  artifact: 'art',
  directive: 'dir',
  project: 'prj',
  profile: 'prf',
  policy: 'pol',
  taskPermission: 'prm',
  runner: 'rnr',
  budget: 'bud',
  workflow: 'wfl',
  run: 'run',
  step: 'stp',
  integration: 'int',
  inboundEvent: 'inb',
  chatMessage: 'msg',
  endpoint: 'whk',
  event: 'evt',
  delivery: 'dlv',
  replay: 'rpl',
  reconcile: 'rec',
  apiKey: 'key',
  oauthClient: 'cli',
  user: 'usr',
  session: 'ses',
  accessLink: 'lnk',
  auditEntry: 'aud',
  savedView: 'viw',
  tenant: 'tnt',
  request: 'req',
} as const;

export type IdKind = keyof typeof idPrefixes;

const randomPool = Buffer.alloc(1_024);
let drawn = randomPool.length;

/** Returns [0, 1) with 8 random bits, enough for one character. One system call serves 1,024 characters. */
function nextRandom(): number {
  if (drawn === randomPool.length) {
    randomFillSync(randomPool);
    drawn = 0;
  }
  return (randomPool[drawn++] ?? 0) / 256;
}

/** A clock that was corrected by more than this was wrong: later ids use the corrected time. */
const maxHeldMs = 1_000;

/** Ids that grow strictly, also while the clock goes back a little. */
function growingIds(): (atMs: number) => string {
  let next = monotonicFactory(nextRandom);
  let latestMs = -Infinity;
  return (atMs) => {
    if (atMs < latestMs - maxHeldMs) {
      next = monotonicFactory(nextRandom);
      latestMs = -Infinity;
    }
    latestMs = Math.max(latestMs, atMs);
    return next(atMs);
  };
}

const nextUlid = growingIds();
/** Ids of given times have their own sequence: another clock must not push the others forward. */
const nextUlidAt = growingIds();

/**
 * A new id of the kind with that time in Unix milliseconds (default: now). Ids of a kind grow strictly within a
 * process, also within a millisecond, unless the clock is corrected by more than a second. A given time that is less
 * than a second before the previous one is replaced by the previous one; `idTimeMs` returns the time that was used.
 */
export function newId(kind: IdKind, atMs?: number): string {
  const ulid = atMs === undefined ? nextUlid(Date.now()) : nextUlidAt(atMs);
  return `${idPrefixes[kind]}_${ulid.toLowerCase()}`;
}

const ulidPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether the text has the form of an id of the kind. It says nothing about existence. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${idPrefixes[kind]}_`;
  return text.startsWith(prefix) && ulidPattern.test(text.slice(prefix.length));
}

/** The moment at which an id was made, in Unix milliseconds. */
export function idTimeMs(id: string): number {
  return decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase());
}

/** The smallest id of the kind at a moment: a bound for ranges over ids by time. */
export function idLowerBound(kind: IdKind, atMs: number): string {
  return `${idPrefixes[kind]}_${encodeTime(atMs, 10).toLowerCase()}`;
}
