import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const saved = z.object({
  /** The command of the agent: no other one knows the session. */
  agent: z.string(),
  cwd: z.string(),
  id: z.string(),
  hasFailed: z.boolean(),
});
type Saved = z.infer<typeof saved>;

/** The session of a task, kept in its folder: later turns and attempts go on with it. */
export function keptSession(folder: string, owner: { agent: string; cwd: string }) {
  const file = join(folder, 'session.json');
  let session: Saved | undefined;

  async function read(): Promise<Saved | undefined> {
    try {
      const found = saved.parse(JSON.parse(await readFile(file, 'utf8')));
      return found.agent === owner.agent && found.cwd === owner.cwd ? found : undefined;
    } catch {
      return undefined;
    }
  }
  const write = () => writeFile(file, JSON.stringify(session), { mode: 0o600 });

  return {
    id: async (): Promise<string | undefined> => (session ??= await read())?.id,
    async use(id: string): Promise<void> {
      session = { ...owner, id, hasFailed: session?.id === id && session.hasFailed };
      await write();
    },
    /** After a turn. A session that fails twice in a row may be what is broken: it is not used again. */
    async settle(isGood: boolean): Promise<void> {
      if (!session) return;
      const isBroken = !isGood && session.hasFailed;
      session = isBroken ? undefined : { ...session, hasFailed: !isGood };
      await (session ? write() : rm(file, { force: true }));
    },
  };
}
