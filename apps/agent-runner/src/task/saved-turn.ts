import { z } from 'zod';
import type { Turn } from '../verdict/happened.ts';
import type { TaskFolder } from './task-folder.ts';

const file = 'turn.json';

/** A turn whose end the service does not know yet: a runner that is killed after it need not take it again. */
const savedTurn = z.object({
  attempt: z.number(),
  failures: z.number(),
  lostLeases: z.number(),
  run: z.number(),
  rounds: z.number(),
  turn: z.custom<Turn>((value) => typeof value === 'object' && value !== null && 'end' in value),
});
type SavedTurn = z.infer<typeof savedTurn>;

/** What is known of earlier attempts at a claim. */
type Attempt = { attempt: number; failures: number; lost_leases: number };

export const saveTurn = (
  folder: TaskFolder,
  { attempt, failures, lost_leases: lostLeases }: Attempt,
  turn: Pick<SavedTurn, 'run' | 'rounds' | 'turn'>,
): Promise<void> => folder.write(file, { attempt, failures, lostLeases, ...turn });
export const forgetTurn = (folder: TaskFolder): Promise<void> => folder.drop(file);

/** The turn of this attempt, which is resumed, or of the previous one, if that ended by the loss of its lease alone. */
export async function readTurn(folder: TaskFolder, now: Attempt): Promise<SavedTurn | undefined> {
  const { data: saved } = savedTurn.safeParse(await folder.read(file));
  if (saved?.failures !== now.failures) return undefined;
  const isSame = saved.attempt === now.attempt && saved.lostLeases === now.lost_leases;
  const isNext = saved.attempt === now.attempt - 1 && saved.lostLeases === now.lost_leases - 1;
  return isSame || isNext ? saved : undefined;
}
