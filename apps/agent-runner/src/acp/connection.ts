import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '@agentclientprotocol/sdk';
import type { z } from 'zod';
import { lastLines } from '../agent/last-lines.ts';
import { endLeftovers } from '../command/end-leftovers.ts';
import { splitLines } from '../command/split-lines.ts';
import { type CommandParts, startCommand } from '../command/start-command.ts';
import { framesOf } from './frames.ts';
import { call, withinSeconds } from './request.ts';

/** Requests and notifications of an agent; a return value is its response. */
export type Handlers = {
  onUpdate(params: unknown): void;
  onPermission(params: unknown): Promise<object>;
  onElicitation(params: unknown): Promise<object>;
  /** `_auth/status_update`: what it knows of its login. */
  onLogin?(params: unknown): void;
  /** Keeps a line that it printed outside of the protocol. */
  record(line: string): void;
};

export type Connection = {
  /** Throws AgentError. `seconds`: longest time that it may take. */
  request<T>(method: string, params: object, response: z.ZodType<T>, options?: { seconds?: number }): Promise<T>;
  notify(method: string, params: object): Promise<void>;
  isOpen(): boolean;
  /** The last lines of its stderr. */
  errors(): string[];
  /** Resolves when nothing that it started is left. */
  end(): Promise<void>;
};

/** How much later than with SIGKILL an agent may end. */
const lateMs = 1_000;

/** Starts an agent in a process group of its own. */
export function connectAgent(parts: CommandParts, handlers: Handlers): Connection {
  const command = startCommand(parts);
  const { stdout, stderr } = command;
  // Without stdin the agent cannot be reached: pending requests fail when it ends.
  const say = async (message: object) => (await command.say(message)) || (command.kill(), false);
  const errors = lastLines();
  const reading = readErrors(stderr, (line) => {
    errors.add(line);
    handlers.record(`stderr: ${line}`);
  });
  const stream = framesOf({ stdout, say, onUpdate: handlers.onUpdate, onNoise: handlers.record });
  const connection = clientOf(handlers).connect(stream);
  const ended = Promise.all([command.ended, reading]).then(([end]) => {
    connection.close();
    return end;
  });
  // Nor without stdout.
  void connection.closed.then(() => command.kill());
  return {
    request: (method, params, response, { seconds } = {}) =>
      withinSeconds(seconds, method, call({ agent: connection.agent, ended }, method, params, response)),
    notify: (method, params) => connection.agent.notify(method, params).catch(() => {}),
    isOpen: () => !connection.signal.aborted,
    errors: errors.lines,
    async end() {
      command.closeStdin();
      command.kill();
      // A process that left the group may hold the output open, and print for ever.
      await Promise.race([ended, sleep(parts.graceSeconds * 1_000 + lateMs, undefined, { ref: false })]);
      await endLeftovers(command.mark);
      await ended;
    },
  };
}

function clientOf({ onPermission, onElicitation, onLogin, record }: Handlers) {
  const answer =
    (handle: (params: unknown) => Promise<object>) =>
    ({ params }: { params: unknown }) =>
      handle(params).catch((error: unknown) => {
        record(`a request of the agent was not answered: ${String(error)}`);
        throw error;
      });
  return client({ name: 'agent-runner' })
    .onRequest('session/request_permission', asIs, answer(onPermission))
    .onRequest('elicitation/create', asIs, answer(onElicitation))
    .onNotification('_auth/status_update', asIs, ({ params }) => onLogin?.(params));
}

const asIs = (params: unknown) => params;

async function readErrors(stderr: AsyncIterable<Buffer>, take: (line: string) => void): Promise<void> {
  for await (const lines of splitLines(stderr)) lines.forEach(take);
}
