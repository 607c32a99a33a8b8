import type { Readable } from 'node:stream';
import type { Stream } from '@agentclientprotocol/sdk';
import { splitLines } from '../command/split-lines.ts';
import { AgentError } from './agent-error.ts';

type Message = Stream['readable'] extends ReadableStream<infer T> ? T : never;

/** Longest message of an agent, in bytes: edits of large files come with the text before and after. */
const maxMessageBytes = 8 * 1024 * 1024;
/** Most requests of an agent that wait for their response. */
const maxOpenRequests = 1_000;

export type FramesParts = {
  stdout: Readable;
  /** Writes a message to the agent; false when it takes nothing any more. */
  say: (message: object) => Promise<boolean>;
  /** Takes the parameters of each `session/update`. */
  onUpdate: (params: unknown) => void;
  /** Takes what the agent prints that is no message. */
  onNoise: (line: string) => void;
};

/**
 * The messages of an agent, one a line. They are read as fast as they are handled, so a flood of them waits in the pipe.
 * Updates bypass the SDK: it would refuse unknown kinds, and deliver updates after later responses.
 */
export function framesOf({ stdout, say, onUpdate, onNoise }: FramesParts): Stream {
  const output = splitLines(stdout, maxMessageBytes);
  let openRequests = 0;

  function take(line: string): Message[] {
    const message = messageOf(line);
    if (message === undefined) onNoise(line.slice(0, 1_000));
    else if (!('method' in message) || message.method !== 'session/update') return [message];
    else onUpdate(message.params);
    return [];
  }

  async function read(): Promise<Message[] | undefined> {
    for (;;) {
      const { value: lines, done } = await output.next();
      if (done) return undefined;
      const messages = lines.flatMap(take);
      openRequests += messages.filter((message) => 'method' in message && 'id' in message).length;
      if (openRequests > maxOpenRequests) throw new AgentError('The agent asks more than it reads answers.');
      if (messages.length > 0) return messages;
    }
  }

  /** Unread output would keep the process from ending. */
  async function drain(): Promise<void> {
    while (!(await output.next()).done);
  }

  const readable = new ReadableStream<Message>({
    async pull(controller) {
      try {
        const messages = await read();
        if (messages) for (const message of messages) controller.enqueue(message);
        else controller.close();
      } catch (error) {
        void drain();
        throw error;
      }
    },
    cancel: () => void drain(),
  });
  const writable = new WritableStream<Message>({
    async write(message) {
      if (!('method' in message)) openRequests -= 1;
      if (!(await say(message))) throw new Error('The agent has closed its input.');
    },
  });
  return { readable, writable };
}

function messageOf(line: string): Message | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Message;
  } catch {
    if (!line.startsWith('{"jsonrpc"')) return undefined;
    throw new AgentError(
      `The agent sent a message that is not JSON, or longer than ${maxMessageBytes / 1_048_576} MiB.`,
    );
  }
}
