import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentEnv } from './agent-env.ts';
import { AgentError } from './agent-error.ts';
import { type Connection, connectAgent, type Handlers } from './connection.ts';
import type { AcpSettings } from './live-agent.ts';
import type { AgentInfo } from './messages.ts';
import { initialize, openSession } from './open-session.ts';
import { withinSeconds } from './request.ts';

/** When an agent counts as slow, and how long it may take at most: large ones need a while on a busy machine. */
const limits = { slowSeconds: 9, maxSeconds: 60 };
const loginRequired = -32_000;

/** Starts an agent and opens a session that is not used. Throws a sentence that says what is missing. */
export async function probe(
  settings: Omit<AcpSettings, 'answerSeconds'>,
  onSlow: (text: string) => void,
  { slowSeconds, maxSeconds } = limits,
): Promise<AgentInfo> {
  const { line, env, mode } = settings;
  const folder = await mkdtemp(join(tmpdir(), 'agent-probe-'));
  let isLoggedOut = false;
  const onLogin = (params: unknown) => void (isLoggedOut ||= saysLoggedOut(params));
  const parts = { line, folder, env: agentEnv(env), graceSeconds: 1 };
  const connection = connectAgent(parts, { ...silent, onLogin });
  const text = `has not opened a session after ${slowSeconds} s; waiting up to ${maxSeconds} s`;
  const timer = setTimeout(() => onSlow(text), slowSeconds * 1_000);
  try {
    const info = await withinSeconds(maxSeconds, 'with a session', open(connection, { cwd: folder, mode }));
    if (isLoggedOut) throw new AgentError('It is not logged in.', loginRequired);
    return info;
  } catch (error) {
    throw new Error(problemOf(error as AgentError, connection));
  } finally {
    clearTimeout(timer);
    await connection.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function open(
  connection: Connection,
  { cwd, mode }: { cwd: string; mode: string | undefined },
): Promise<AgentInfo> {
  const info = await initialize(connection);
  await openSession(connection, info, { cwd, id: undefined, mode });
  return info;
}

const silent: Handlers = {
  onUpdate() {},
  onPermission: async () => ({ outcome: { outcome: 'cancelled' } }),
  onElicitation: async () => ({ action: 'decline' }),
  record() {},
};

/** As Claude Code's adapter says it; others refuse to open a session. */
const saysLoggedOut = (params: unknown): boolean =>
  (params as { authStatus?: { kind?: unknown } } | undefined)?.authStatus?.kind === 'none';

function problemOf({ message, code }: AgentError, connection: Connection): string {
  if (code === loginRequired) return `The agent has no access to its model. ${message}`;
  const [stderr = ''] = connection.errors().slice(-1);
  return `The agent does not start. ${[message, stderr].join(' ').trim()}`;
}
