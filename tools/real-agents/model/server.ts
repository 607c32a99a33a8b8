// A simulated model: the four APIs that coding agents use, with scripted answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { chatCompletions } from './chat-completions.ts';
import type { Api, Conversation, Frames, Reply } from './conversation.ts';
import { gemini } from './gemini.ts';
import { responses } from './responses.ts';
import { type Memory, scripts } from './scripts.ts';
import { replyTo, sampleOf, type Step } from './steps.ts';

const apis: readonly Api[] = [anthropic, responses, chatCompletions, gemini];

export type ModelServer = {
  url: string;
  /** Conversations so far, the newest last. */
  seen: { path: string; script: string | undefined; conversation: Conversation; step: Step }[];
  close(): Promise<void>;
};

export async function startModelServer(): Promise<ModelServer> {
  const seen: ModelServer['seen'] = [];
  const memories = new Map<string, Memory>();

  let mostTools = 0;

  /** Agents ask models for titles, summaries and the like as well: without tools, or with few of them. */
  function isHousekeeping({ tools }: Conversation): boolean {
    mostTools = Math.max(mostTools, tools.length);
    return tools.length === 0 || tools.length * 2 < mostTools;
  }

  function stepOf(conversation: Conversation, request: string): { script: string | undefined; step: Step } {
    const script = /SCRIPT:([\w-]+)/.exec(conversation.prompt)?.[1];
    if (script === undefined || isHousekeeping(conversation))
      return { script, step: { say: conversation.schema ? JSON.stringify(sampleOf(conversation.schema)) : 'ok' } };
    if (conversation.running !== undefined) return { script, step: { wait: conversation.running } };
    const memory = memories.get(script) ?? { requests: 0 };
    memory.requests += 1;
    memories.set(script, memory);
    return { script, step: scripts[script]?.(conversation, memory, request) ?? { say: `No script ${script}.` } };
  }

  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    const text = await textOf(request);
    const api = apis.find((one) => one.matches(path));
    if (!api) return sendJson(response, 200, fixedAnswer(path));
    const conversation = api.read(JSON.parse(text) as never, path);
    const { script, step } = stepOf(conversation, text);
    seen.push({ path, script, conversation, step });
    if (seen.length > 1_000) seen.shift();
    await send(response, { api, conversation, step });
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

type Sending = { api: Api; conversation: Conversation; step: Step };

async function send(response: ServerResponse, { api, conversation, step }: Sending): Promise<void> {
  if ('status' in step) return sendJson(response, step.status, api.error(step.status, step.message));
  const reply: Reply = 'cut' in step ? { text: 'I begin with' } : replyTo(step, conversation.tools);
  if (!conversation.isStream) return sendJson(response, 200, api.body(reply, conversation));
  const frames = api.frames(reply, conversation);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  if (!('cut' in step)) return void response.end(frames.map(frameText).join(''));
  response.write(
    frames
      .slice(0, Math.max(1, frames.length >> 1))
      .map(frameText)
      .join(''),
  );
  setTimeout(() => response.destroy(), 50);
}

const frameText = ({ event, data }: Frames[number]): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Counting of tokens, lists of models, and whatever else is asked. */
function fixedAnswer(path: string): unknown {
  if (/count_?tokens$/i.test(path)) return { input_tokens: 100, totalTokens: 100 };
  return /\/models$/.test(path) ? { object: 'list', data: [], models: [] } : {};
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8') || '{}';
}
