import { inboundAccepted } from '@eas/contracts';
import { defineRoute, type RequestHead, type Route } from '@eas/http';
import { admitPlatformEvent, receivePlatformEvent } from '@eas/task-platform';
import { admitSourceHostEvent, receiveSourceHostEvent } from '@eas/source-host';
import type { InboundRequest, Receiver } from '@eas/receiving';
import { z } from 'zod';

type Source = {
  path: string;
  name: string;
  admit: (head: Omit<InboundRequest, 'raw'>) => void;
  receive: (receiver: Receiver, request: InboundRequest) => Promise<void>;
};

const sources: readonly Source[] = [
  {
    path: '/webhook/taskplatform',
    name: 'the task platform',
    admit: admitPlatformEvent,
    receive: receivePlatformEvent,
  },
  {
    path: '/webhook/sourcehost',
    name: 'the source host',
    admit: admitSourceHostEvent,
    receive: receiveSourceHostEvent,
  },
];

/** For each source an address for all integrations, and one for each. `takesUnsigned`: no signature is required. */
export const inboundRoutes = (receiver: Receiver, takesUnsigned: (head: RequestHead) => boolean): Route[] =>
  sources.flatMap(({ path, name, admit, receive }) => {
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
        access: { signature: (head) => admit(headOf(head)) },
        handler: async (_ctx, request) => {
          await receive(receiver, { ...headOf(request), raw: request.rawBody });
          return { status: 200, body: { ok: true } } as const;
        },
      }),
      defineRoute({
        ...shared,
        path: `${path}/{integration_id}`,
        summary: `Receive an event of ${name} at the address of one integration`,
        params: z.object({ integration_id: z.string().max(100) }),
        access: { signature: (head) => admit({ ...headOf(head), takesUnsigned: false }) },
        handler: async (_ctx, request) => {
          const { integration_id: integrationId } = request.params;
          await receive(receiver, { ...headOf(request), raw: request.rawBody, integrationId });
          return { status: 200, body: { ok: true } } as const;
        },
      }),
    ];
  });
