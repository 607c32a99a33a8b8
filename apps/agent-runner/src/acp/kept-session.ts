import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson } from '../read-json.ts';
import { writeJson } from '../write-json.ts';

/** Most of the last message that is kept. */
const maxLastLength = 4_000;
/** How often it is kept while a turn runs, whose runner may be killed. */
const lastMs = 5_000;

const saved = z.object({
  /** The command of the agent: another agent does not know the session. */
  agent: z.string(),
  cwd: z.string(),
  /** Undefined: it cannot be used any more. */
  id: z.string().optional(),
  hasFailed: z.boolean(),
  /** The last message of the agent in it. */
  last: z.string().default(''),
  /** What it has cost so far, as far as that was reported. */
  costUsd: z.number().default(0),
});
type Saved = z.infer<typeof saved>;

/** The session of a task, stored in its folder: later turns and attempts continue it. */
export function keptSession(folder: string, owner: { agent: string; cwd: string }) {
  const file = join(folder, 'session.json');
  let session: Saved | undefined;
  let writing = Promise.resolve();
  let lastAtMs = -Infinity;

  async function read(): Promise<Saved | undefined> {
    const { data: found } = saved.safeParse(await readJson(file));
    return found?.agent === owner.agent && found.cwd === owner.cwd ? found : undefined;
  }
  const write = () => (writing = writing.catch(() => {}).then(() => writeJson(file, session)));
  const load = async () => (session ??= await read());

  return {
    id: async (): Promise<string | undefined> => (await load())?.id,
    /** What the agent said last; empty when that is unknown, undefined when the task has had no session. */
    last: async (): Promise<string | undefined> => (await load())?.last,
    /** What the agent has said so far in a turn. */
    async keepLast(last: () => string): Promise<void> {
      if (!session || performance.now() - lastAtMs < lastMs) return;
      lastAtMs = performance.now();
      session = { ...session, last: last().slice(-maxLastLength) };
      await write();
    },
    async use(id: string): Promise<void> {
      const { hasFailed = false, costUsd = 0, last = '' } = session ?? {};
      const isSame = session?.id === id;
      session = { ...owner, id, last, ...(isSame ? { hasFailed, costUsd } : { hasFailed: false, costUsd: 0 }) };
      await write();
    },
    costUsd: (): number => session?.costUsd ?? 0,
    async setCostUsd(costUsd: number): Promise<void> {
      if (!session) return;
      session = { ...session, costUsd };
      await write();
    },
    /** The session is not used again: only the last message of the agent is left of it. */
    async drop(): Promise<void> {
      if (session) session = { ...session, id: undefined, hasFailed: false };
      await (session ? write() : rm(file, { force: true }));
    },
    /** After a turn, with its last message. A session that fails twice in a row may be what is broken: it is dropped. */
    async settle(isGood: boolean, last: string): Promise<void> {
      if (!session) return;
      const isBroken = !isGood && session.hasFailed;
      session = {
        ...session,
        ...(isBroken ? { id: undefined, hasFailed: false } : { hasFailed: !isGood }),
        ...(last === '' ? {} : { last: last.slice(-maxLastLength) }),
      };
      await write();
    },
  };
}
