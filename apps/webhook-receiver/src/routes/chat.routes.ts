import { chatAccepted } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { admitChatRequest, type ChatReceiver, receiveChatRequest } from '@eas/chat';
import { z } from 'zod';

/** An address for all chat workspaces, and one for each. */
export function chatRoutes(receiver: ChatReceiver): Route[] {
  const shared = {
    method: 'POST',
    tags: ['Receivers'],
    access: { signature: (head) => admitChatRequest(receiver, head) },
    responses: { 200: { description: 'Taken.', schema: chatAccepted } },
    errors: ['invalid_request', 'forbidden'],
  } as const satisfies Partial<Parameters<typeof defineRoute>[0]>;
  return [
    defineRoute({
      ...shared,
      path: '/webhook/chat',
      summary: 'Receive a click on a button of a chat message',
      handler: async (_ctx, { headers, rawBody: raw }) => {
        const taken = await receiveChatRequest(receiver, { headers, raw });
        return { status: 200, body: { ok: true, ...taken } } as const;
      },
    }),
    defineRoute({
      ...shared,
      path: '/webhook/chat/{integration_id}',
      summary: 'Receive a click on a button at the address of one integration',
      params: z.object({ integration_id: z.string().max(100) }),
      handler: async (_ctx, { headers, rawBody: raw, params: { integration_id: integrationId } }) => {
        const taken = await receiveChatRequest(receiver, { headers, raw, integrationId });
        return { status: 200, body: { ok: true, ...taken } } as const;
      },
    }),
  ];
}
