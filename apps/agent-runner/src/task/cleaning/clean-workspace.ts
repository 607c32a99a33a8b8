import type { Log } from '../../log.ts';
import { sizesOf } from './disk-usage.ts';
import { foldersWithWorktrees, idleClones, type Item } from './removable.ts';
import type { Env } from '../../key/env.ts';

export type CleanParts = {
  workspace: string;
  env: Env;
  /** How long unused worktrees and clones stay. */
  keepMs: number;
  /** Over this, the oldest go earlier; 0: without a limit. */
  maxBytes: number;
  signal: AbortSignal;
  log: Log;
};

const everyMs = 3_600_000;
/** Whatever its size, what was used so lately stays: an attempt may be about to go on with it. */
const freshMs = 3_600_000;

/** Removes now and every hour what is old, until the signal aborts. A failure is logged. */
export function keepClean(parts: CleanParts): void {
  const clean = () =>
    cleanWorkspace(parts).catch((error: unknown) => {
      if (!parts.signal.aborted) parts.log(`the workspace was not cleaned: ${String(error)}`);
    });
  const timer = setInterval(() => void clean(), everyMs).unref();
  parts.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  void clean();
}

export async function cleanWorkspace(parts: CleanParts): Promise<void> {
  const { keepMs, maxBytes, signal } = parts;
  const worktrees = await removeOld(parts, await foldersWithWorktrees(parts.workspace), Date.now() - keepMs);
  const clones = await removeOld(parts, await idleClones(parts), Date.now() - keepMs);
  if (maxBytes === 0 || signal.aborted) return;
  // Clones last: to make one again costs more than a worktree.
  const items = [...oldestFirst(worktrees), ...oldestFirst(clones)];
  const sizes = await sizesOf(items.map(({ path }) => path));
  let total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  for (const item of items) {
    if (total <= maxBytes || signal.aborted) return;
    if (Date.now() - item.usedAtMs < freshMs || !(await removeItem(parts, item, 'for its size'))) continue;
    total -= sizes.get(item.path) ?? 0;
  }
}

const oldestFirst = (items: readonly Item[]) => items.toSorted((one, other) => one.usedAtMs - other.usedAtMs);

/** Gives what stays. */
async function removeOld(parts: CleanParts, items: readonly Item[], beforeMs: number): Promise<Item[]> {
  const left: Item[] = [];
  for (const item of items) {
    if (parts.signal.aborted) return [];
    if (item.usedAtMs > beforeMs || !(await removeItem(parts, item, 'for its age'))) left.push(item);
  }
  return left;
}

async function removeItem({ log }: CleanParts, item: Item, why: string): Promise<boolean> {
  const isGone = await item.remove();
  if (isGone) log(`removed ${item.path} ${why}`);
  return isGone;
}
