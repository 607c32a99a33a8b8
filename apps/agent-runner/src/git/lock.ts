import { randomUUID } from 'node:crypto';
import { link, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson } from '../read-json.ts';

export type Release = () => Promise<void>;

type Owner = { host: string; pid: number; id: string };

/** A lock of another machine, or of a process whose number another one has, expires when it was not renewed for this long. */
const [beatMs, staleMs, pauseMs] = [5_000, 60_000, 100];
/** Ids of the locks that this process holds. */
const held = new Set<string>();

/** Takes the lock of a file if it is free. It ends with its process. */
export async function tryLock(file: string): Promise<Release | undefined> {
  if (await isOver(file)) await removeOver(file);
  const release = await create(file);
  if (!release) return undefined;
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), beatMs).unref();
  return () => {
    clearInterval(beat);
    return release();
  };
}

/** Runs with the lock, and waits for it before. Throws what the signal aborts with. */
export async function withLock<T>(file: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const release = await tryLock(file);
    if (release) return run().finally(release);
    await sleep(pauseMs, undefined, { signal });
  }
}

/** A lock appears with its owner in it: one without an owner, left by a kill in between, would hold for a minute. */
async function create(file: string): Promise<Release | undefined> {
  const owner: Owner = { host: hostname(), pid: process.pid, id: randomUUID() };
  const written = `${file}.${owner.id}`;
  held.add(owner.id);
  try {
    await writeFile(written, JSON.stringify(owner), { mode: 0o600 });
    await link(written, file);
  } catch (error) {
    held.delete(owner.id);
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(written, { force: true });
  }
  return async () => {
    if ((await readOwner(file))?.id === owner.id) await rm(file, { force: true });
    held.delete(owner.id);
  };
}

async function isOver(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return false;
  if (Date.now() - found.mtimeMs > staleMs) return true;
  const owner = await readOwner(file);
  if (owner?.host !== hostname()) return false;
  return owner.pid === process.pid ? !held.has(owner.id) : !isAlive(owner.pid);
}

/**
 * Only one process at a time may remove a lock, or it could remove the lock of the process that came first. The guard
 * of a process that was killed in between expires like any lock.
 */
async function removeOver(file: string): Promise<void> {
  const guard = `${file}.over`;
  if (await isOver(guard)) await rm(guard, { recursive: true, force: true });
  const release = await create(guard);
  if (!release) return;
  try {
    if (await isOver(file)) await rm(file, { force: true });
  } finally {
    await release();
  }
}

const readOwner = async (file: string) => (await readJson(file)) as Owner | undefined;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
