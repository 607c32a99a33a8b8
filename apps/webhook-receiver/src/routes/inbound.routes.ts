import { inboundAccepted } from '@eas/contracts';
import { defineRoute, type RequestHead, type Route } from '@eas/http';
import { admitInboundEvent, receiveInboundEvent, type Receiver } from '@eas/receiving';
import { sourceHostSource } from '@eas/source-host';
import { taskPlatformSource } from '@eas/task-platform';
import { z } from 'zod';

const sources = [
  { path: '/webhook/taskplatform', name: 'the task platform', source: taskPlatformSource },
  { path: '/webhook/sourcehost', name: 'the source host', source: sourceHostSource },
];

/** For each source an address for all integrations, and one for each. `takesUnsigned`: no signature is required. */
export const inboundRoutes = (receiver: Receiver, takesUnsigned: (head: RequestHead) => boolean): Route[] =>
  sources.flatMap(({ path, name, source }) => {
    const headOf = (head: RequestHead) => ({ headers: head.headers, takesUnsigned: takesUnsigned(head) });
    const shared = {
      method: 'POST',
      tags: ['Receivers'],
      responses: { 200: { description: 'Taken and kept.', schema: inboundAccepted } },
      errors: ['invalid_request', 'forbidden'],
    } as const;
    return [
      defineRoute({
        ...shared,
        path,
        summary: `Receive an event of ${name}`,
        access: { signature: (head) => admitInboundEvent(source, headOf(head)) },
        handler: async (_ctx, request) => {
          await receiveInboundEvent(receiver, source, { ...headOf(request), raw: request.rawBody });
          return { status: 200, body: { ok: true } } as const;
        },
      }),
      defineRoute({
        ...shared,
        path: `${path}/{integration_id}`,
        summary: `Receive an event of ${name} at the address of one integration`,
        params: z.object({ integration_id: z.string().max(100) }),
        access: { signature: (head) => admitInboundEvent(source, { ...headOf(head), takesUnsigned: false }) },
        handler: async (_ctx, request) => {
          const { integration_id: integrationId } = request.params;
          await receiveInboundEvent(receiver, source, { ...headOf(request), raw: request.rawBody, integrationId });
          return { status: 200, body: { ok: true } } as const;
        },
      }),
    ];
  });
