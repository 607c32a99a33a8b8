import { z } from 'zod';
import { AgentError } from './agent-error.ts';
import type { Connection } from './connection.ts';
import { type AgentInfo, initialized, initializeRequest, openedSession } from './messages.ts';

/** Longest time for each step of a start: large agents on a busy machine take their time. */
const [initializeSeconds, sessionSeconds] = [60, 120];

/** The first exchange with an agent. */
export async function initialize(connection: Connection, seconds = initializeSeconds): Promise<AgentInfo> {
  const info = await connection.request('initialize', initializeRequest, initialized, { seconds });
  const { protocolVersion: version } = info;
  if (version === initializeRequest.protocolVersion) return info;
  throw new AgentError(`${info.name} speaks version ${version} of the protocol, and the runner speaks version 1.`);
}

export type OpenSession = { id: string; how: 'new' | 'resumed' | 'loaded' };

export type SessionParts = {
  cwd: string;
  /** The session to go on with, if the agent still has it. */
  id: string | undefined;
  /** The mode to work in, of those that the agent has. */
  mode: string | undefined;
};

/** Goes on with a session, or begins a new one. */
export async function openSession(connection: Connection, info: AgentInfo, parts: SessionParts): Promise<OpenSession> {
  const { id, how, modes } = (await reopen(connection, info, parts)) ?? (await begin(connection, parts));
  const { mode } = parts;
  if (mode !== undefined && modes.includes(mode))
    await connection.request('session/set_mode', { sessionId: id, modeId: mode }, z.unknown(), {
      seconds: sessionSeconds,
    });
  return { id, how };
}

type Opened = OpenSession & { modes: string[] };

async function begin(connection: Connection, { cwd }: SessionParts): Promise<Opened> {
  const request = { cwd, mcpServers: [] };
  const opened = await connection.request('session/new', request, openedSession, { seconds: sessionSeconds });
  if (opened.sessionId === undefined) throw new AgentError('The agent gave its session no id.');
  return { id: opened.sessionId, how: 'new', modes: modesOf(opened) };
}

/** Undefined where the agent cannot, or does not know the session any more. */
async function reopen(
  connection: Connection,
  { canResume, canLoad }: AgentInfo,
  { id, cwd }: SessionParts,
): Promise<Opened | undefined> {
  if (id === undefined || !(canResume || canLoad)) return undefined;
  const [method, how] = canResume ? (['session/resume', 'resumed'] as const) : (['session/load', 'loaded'] as const);
  try {
    const request = { sessionId: id, cwd, mcpServers: [] };
    const opened = await connection.request(method, request, openedSession, { seconds: sessionSeconds });
    return { id, how, modes: modesOf(opened) };
  } catch (error) {
    if (error instanceof AgentError && error.code !== undefined) return undefined;
    throw error;
  }
}

const modesOf = ({ modes }: z.infer<typeof openedSession>) => (modes?.availableModes ?? []).map(({ id }) => id);
