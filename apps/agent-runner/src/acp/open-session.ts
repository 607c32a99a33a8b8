import { z } from 'zod';
import { AgentError } from './agent-error.ts';
import type { Connection } from './connection.ts';
import type { McpServer } from '../profile/mcp-servers.ts';
import { type AgentInfo, initialized, initializeRequest, type OpenedSession, openedSession } from './messages.ts';

/** Longest time for each step of a start: large agents on a busy machine take their time. */
const [initializeSeconds, sessionSeconds] = [60, 120];

/** The first exchange with an agent. */
export async function initialize(connection: Connection, seconds = initializeSeconds): Promise<AgentInfo> {
  const info = await connection.request('initialize', initializeRequest, initialized, { seconds });
  const { protocolVersion: version } = info;
  if (version === initializeRequest.protocolVersion) return info;
  throw new AgentError(`${info.name} speaks version ${version} of the protocol, and the runner speaks version 1.`);
}

export type OpenSession = {
  id: string;
  how: 'new' | 'resumed' | 'loaded';
  /** What the agent said of it. */
  opened: OpenedSession;
};

export type SessionParts = {
  cwd: string;
  /** The session to go on with, if the agent still has it. */
  id: string | undefined;
  /** The mode to work in, of those that the agent has. */
  mode: string | undefined;
  mcpServers?: readonly McpServer[];
};

/** Goes on with a session, or begins a new one. */
export async function openSession(connection: Connection, info: AgentInfo, parts: SessionParts): Promise<OpenSession> {
  const { mode, mcpServers = [] } = parts;
  const usable = { ...parts, mcpServers: mcpServers.filter((server) => isReached(info, server)) };
  const session = (await reopen(connection, info, usable)) ?? (await begin(connection, usable));
  const { id, opened } = session;
  const modes = (opened.modes?.availableModes ?? []).map((one) => one.id);
  if (mode !== undefined && modes.includes(mode))
    await connection.request('session/set_mode', { sessionId: id, modeId: mode }, z.unknown(), {
      seconds: sessionSeconds,
    });
  return session;
}

/** Whether the agent can use the server: programs always. */
export const isReached = ({ transports }: AgentInfo, server: McpServer): boolean =>
  !('type' in server) || transports.includes(server.type);

type Usable = SessionParts & { mcpServers: readonly McpServer[] };

async function begin(connection: Connection, { cwd, mcpServers }: Usable): Promise<OpenSession> {
  const request = { cwd, mcpServers };
  const opened = await connection.request('session/new', request, openedSession, { seconds: sessionSeconds });
  if (opened.sessionId === undefined) throw new AgentError('The agent gave its session no id.');
  return { id: opened.sessionId, how: 'new', opened };
}

/** Undefined where the agent cannot, or does not know the session any more. */
async function reopen(
  connection: Connection,
  { canResume, canLoad }: AgentInfo,
  { id, cwd, mcpServers }: Usable,
): Promise<OpenSession | undefined> {
  if (id === undefined || !(canResume || canLoad)) return undefined;
  const [method, how] = canResume ? (['session/resume', 'resumed'] as const) : (['session/load', 'loaded'] as const);
  try {
    const request = { sessionId: id, cwd, mcpServers };
    const opened = await connection.request(method, request, openedSession, { seconds: sessionSeconds });
    return { id, how, opened };
  } catch (error) {
    if (error instanceof AgentError && error.code !== undefined) return undefined;
    throw error;
  }
}
