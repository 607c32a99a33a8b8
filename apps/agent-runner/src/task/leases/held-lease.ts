import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Release, tryLock } from '../../git/lock.ts';
import { readJson } from '../../read-json.ts';
import type { TaskFolder } from '../task-folder.ts';

const [file, lock] = ['lease.json', 'lease.lock'];

const heldLease = z.object({
  agentId: z.string(),
  leaseId: z.string(),
  fencingToken: z.number(),
  /** How often a runner has resumed it since its task got somewhere: its agent asked a person, or was answered. */
  resumed: z.number(),
  /** ID of the answer that came with the last resume. */
  answer: z.string().optional(),
});
export type HeldLease = z.infer<typeof heldLease>;

/** So often a lease is resumed to work on: a task may be what kills the runners. After that the attempt fails, which is counted. */
const maxResumed = 5;
export const isResumedTooOften = ({ resumed }: Pick<HeldLease, 'resumed'>): boolean => resumed > maxResumed;

type Left = { held: HeldLease; hasWaited: boolean };

/** What is noted of a lease that is resumed now with these directives, or claimed where none was left. */
export function resumeOf(
  left: Left | undefined,
  directives: readonly { kind: string; id: string }[],
): Pick<HeldLease, 'resumed' | 'answer'> {
  if (!left) return { resumed: 0 };
  const { held, hasWaited } = left;
  const answer = directives.findLast(({ kind }) => kind === 'answer')?.id ?? held.answer;
  // A runner that was killed as its agent asked has not noted that it did.
  const gotSomewhere = hasWaited || answer !== held.answer;
  const resumed = gotSomewhere ? 1 : held.resumed + 1;
  return answer === undefined ? { resumed } : { resumed, answer };
}

export type Holding = {
  /** The agent asks a person: the task got somewhere, so resumes are counted from here. */
  asks(): Promise<void>;
  /** `isOver`: it must not be resumed. */
  end(isOver: boolean): Promise<void>;
};

/** Says on the disk under which lease this process works on a task, until `end`. */
export async function holdLease(folder: TaskFolder, held: HeldLease): Promise<Holding> {
  const release = await tryLock(join(folder.path, lock));
  // A runner that lost the lease is still ending: it removes what it has written.
  if (release) await folder.write(file, held);
  let written: Promise<unknown> = Promise.resolve();
  return {
    async asks() {
      if (release && held.resumed > 0) written = folder.write(file, { ...held, resumed: 0 });
      await written;
    },
    async end(isOver) {
      await written.catch(() => {});
      if (release && isOver) await folder.drop(file);
      await release?.();
    },
  };
}

/** A lease of a runner that is no more. No other runner takes it before `release`; after `forget` none does. */
export type LeftLease = { taskId: string; held: HeldLease; forget: () => Promise<void>; release: Release };

/** What killed runners of the agent have left in the workspace, and those that ended while a person was asked. */
export async function findLeftLeases(workspace: string, agentId: string): Promise<LeftLease[]> {
  const left: LeftLease[] = [];
  for (const taskId of await readdir(workspace).catch(() => [] as string[])) {
    const folder = join(workspace, taskId);
    const { data: held } = heldLease.safeParse(await readJson(join(folder, file)));
    if (held?.agentId !== agentId) continue;
    const release = await tryLock(join(folder, lock));
    const forget = () => rm(join(folder, file), { force: true });
    if (release) left.push({ taskId, held, forget, release });
  }
  return left;
}
