import type { CreateIntegrationBody } from '@eas/contracts';
import { append, contextInTransaction, type UseCaseContext } from '@eas/db';
import { sendNext } from '@eas/outbound';
import { startWebhookSink, type WebhookSink } from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { createIntegration } from '@eas/integrations';
import { chatKind, listChatMessages, queueChatMessages } from '../src/index.ts';

type SlackBody = Extract<CreateIntegrationBody, { type: 'slack' }>;

/** A chat server of its own, and the tools to have events posted there. */
export async function startChatScene() {
  const sink = await startWebhookSink();
  const [egress, impatient] = [createLoopbackEgress(), createLoopbackEgress({ headersTimeoutMs: 500 })];
  let isHanging = false;
  const chat: WebhookSink = {
    ...sink,
    respondWith(script) {
      isHanging = 'kind' in script && script.kind === 'hang';
      sink.respondWith(script);
    },
  };
  /** Only a chat that never responds is waited for in vain, and not for long. */
  const send: typeof egress.send = (request) => (isHanging ? impatient : egress).send(request);
  const posting = { send, apiUrl: chat.url, baseUrl: 'https://agents.example.com' };

  /** By token to a channel, unless the fields say otherwise. */
  async function connect(ctx: UseCaseContext, fields: Partial<SlackBody> = {}): Promise<string> {
    const body = { workspace_name: 'acme', events: ['*'], channels: ['C1'], token: 'xoxb-the-token-itself', ...fields };
    return (await createIntegration(ctx, { type: 'slack', ...body })).integration.id;
  }

  /** Comments, one event each; gives their events as a consumer gets them. */
  async function comment(ctx: UseCaseContext, contents: readonly string[]) {
    const events = contents.map((content) => ({
      type: 'task.commented' as const,
      at: ctx.clock.now(),
      data: { task_id: 'tsk_1', title: 'A task', content, author: 'key_1' },
      facts: null,
    }));
    return ctx.inTransaction(async (tx) => events.map((event) => ({ ...event, eventId: append(tx, event) })));
  }

  async function queue(ctx: UseCaseContext, events: Awaited<ReturnType<typeof comment>>): Promise<void> {
    await ctx.inTransaction((tx) => queueChatMessages(contextInTransaction(ctx, tx), events));
  }

  const channelOf = (integrationId: string, channel = 'C1') => ({ integrationId, channel });
  const page = { limit: 100, offset: 0, after: undefined, sort: { field: 'event_id', isDescending: false } };

  return {
    chat,
    posting,
    connect,
    comment,
    queue,
    async say(ctx: UseCaseContext, ...contents: string[]): Promise<void> {
      await queue(ctx, await comment(ctx, contents));
    },
    post: (ctx: UseCaseContext, integrationId: string, channel?: string) =>
      sendNext(ctx, chatKind(posting), channelOf(integrationId, channel)),
    messages: async (ctx: UseCaseContext, id: string) => (await listChatMessages(ctx, { id, filter: {} }, page)).items,
    bodies: () => chat.requests.map(({ body }) => JSON.parse(body.toString('utf8')) as Record<string, unknown>),
    forget: () => void chat.requests.splice(0),
    async close() {
      await Promise.all([egress.close(), impatient.close()]);
      await chat.close();
    },
  };
}
