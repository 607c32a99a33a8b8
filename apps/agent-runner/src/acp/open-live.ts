import type { Connection } from './connection.ts';
import type { keptSession } from './kept-session.ts';
import type { AgentInfo } from './messages.ts';
import { profileNotice, type TaskProfile } from '../profile/task-profile.ts';
import { chooseOptions } from './choose-options.ts';
import { initialize, isReached, type OpenSession, openSession } from './open-session.ts';

export type OpenLiveParts = {
  connect: () => Connection;
  kept: ReturnType<typeof keptSession>;
  cwd: string;
  mode: string | undefined;
  profile: TaskProfile | undefined;
  note: (text: string) => void;
};

export type Live = {
  connection: Connection;
  info: AgentInfo;
  session: OpenSession;
  /** What the agent said last, if its session could not be continued; undefined: it has had none. */
  last: string | undefined;
};

/** Starts the agent, and goes on with the session of the task. One that cannot be continued is tried once. */
export async function openLive({ connect, kept, cwd, mode, profile, note }: OpenLiveParts): Promise<Live> {
  const start = async () => {
    const connection = connect();
    return { connection, info: await initialize(connection) };
  };
  let { connection, info } = await start();
  const id = await kept.id();
  const { mcpServers = [] } = profile ?? {};
  const open = (wanted: string | undefined) => openSession(connection, info, { cwd, mode, id: wanted, mcpServers });
  let session: OpenSession;
  try {
    session = await open(id);
  } catch (error) {
    if (id === undefined) throw error;
    note(`session ${id} cannot be continued: ${(error as Error).message}`);
    await kept.drop();
    await connection.end();
    ({ connection, info } = await start());
    session = await open(undefined);
  }
  const last = session.how === 'new' ? await kept.last() : undefined;
  await kept.use(session.id);
  note(`${info.name} ${info.version}: ${session.how} ${session.id}`);
  if (profile) {
    note(profileNotice(profile));
    await chooseOptions(connection, session, profile.shown);
  }
  for (const server of mcpServers)
    if (!isReached(info, server)) note(`${info.name} cannot reach the MCP server ${server.name}`);
  return { connection, info, session, last };
}
