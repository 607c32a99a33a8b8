import { type ClientContext, RequestError } from '@agentclientprotocol/sdk';
import pTimeout from 'p-timeout';
import type { z } from 'zod';
import type { Ended } from '../command/process-group.ts';
import { AgentError } from './agent-error.ts';

/** An agent that is asked, and its end. */
export type Peer = { agent: ClientContext; ended: Promise<Ended> };

/** Throws AgentError. */
export async function call<T>(peer: Peer, method: string, params: object, response: z.ZodType<T>): Promise<T> {
  const body = await peer.agent.request(method, params).catch(async (error: unknown) => {
    if (error instanceof RequestError) throw new AgentError(textOf(error), error.code);
    if (error instanceof AgentError) throw error;
    throw new AgentError(`The agent ended in the middle of its work: ${howEnded(await peer.ended)}.`);
  });
  const read = response.safeParse(body);
  if (!read.success) throw new AgentError(`The answer of the agent to ${method} cannot be read.`);
  return read.data;
}

/** The reason of a failure: many agents put it next to a general message. */
function textOf({ message, data }: RequestError): string {
  const { details } = (data ?? {}) as { details?: unknown };
  return typeof details === 'string' && details !== '' && details !== message ? `${message}: ${details}` : message;
}

export async function withinSeconds<T>(seconds: number | undefined, method: string, result: Promise<T>): Promise<T> {
  if (seconds === undefined) return result;
  const message = new AgentError(`The agent did not answer ${method} within ${seconds} s.`);
  return pTimeout(result, { milliseconds: seconds * 1_000, message });
}

const howEnded = ({ code, signal }: Ended): string => (code === null ? `by ${signal}` : `exit code ${code}`);
