import { claimTime, type Database, sampleStorage } from '@eas/db';
import { isStorageKnown, recordStorage } from './tenants.sweeper.ts';

const hourMs = 3_600_000;

/**
 * Estimates the bytes of all tenants, unless that was done today (UTC). One process does it in an hour; when it is broken off,
 * one does it in the next. Returns whether it was done.
 */
export async function measureStorage(database: Database, signal: AbortSignal): Promise<boolean> {
  const { db, clock } = database;
  const now = clock.now();
  const day = now.toISOString().slice(0, 10);
  if (await isStorageKnown(db, day)) return false;
  if (!(await claimTime(db, 'storage', new Date(Math.floor(now.getTime() / hourMs) * hourMs)))) return false;
  const bytes = await sampleStorage(database, signal);
  if (bytes) await recordStorage(db, day, bytes);
  return bytes !== undefined;
}
