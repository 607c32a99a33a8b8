import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson } from '../read-json.ts';

export type Release = () => Promise<void>;

type Owner = { host: string; pid: number; id: string };

/** A lock of another machine, or of a process whose number another one has, is over when it was not renewed for so long. */
const [beatMs, staleMs, pauseMs] = [5_000, 60_000, 100];
/** Ids of the locks that this process holds. */
const held = new Set<string>();

/** Takes the lock of a file if nobody holds it. It ends with its process. */
export async function tryLock(file: string): Promise<Release | undefined> {
  if (await isOver(file)) await removeOver(file);
  const owner: Owner = { host: hostname(), pid: process.pid, id: randomUUID() };
  held.add(owner.id);
  if (!(await create(file, JSON.stringify(owner)))) {
    held.delete(owner.id);
    return undefined;
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), beatMs).unref();
  return async () => {
    clearInterval(beat);
    if ((await readOwner(file))?.id === owner.id) await rm(file, { force: true });
    held.delete(owner.id);
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

async function create(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle
      .writeFile(text)
      .catch(async (error: unknown) => {
        await rm(file, { force: true });
        throw error;
      })
      .finally(() => handle.close());
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isOver(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return false;
  if (Date.now() - found.mtimeMs > staleMs) return true;
  const owner = await readOwner(file);
  if (owner?.host !== hostname()) return false;
  return owner.pid === process.pid ? !held.has(owner.id) : !isAlive(owner.pid);
}

/** Only one process at a time may remove a lock, or it could remove the one of whoever came first. */
async function removeOver(file: string): Promise<void> {
  const guard = `${file}.over`;
  try {
    await mkdir(guard);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const found = await stat(guard).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > staleMs) await rmdir(guard).catch(() => {});
    return;
  }
  try {
    if (await isOver(file)) await rm(file, { force: true });
  } finally {
    await rmdir(guard);
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
