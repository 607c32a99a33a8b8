import { inboundAccepted } from '@eas/contracts';
import { defineRoute, type RequestFacts } from '@eas/http';
import { type InboundRequest, receivePlatformEvent, receiveSourceHostEvent, type Receiver } from '@eas/integrations';

const accepted = { 200: { description: 'Taken and kept.', schema: inboundAccepted } } as const;

/** `takesUnsigned` says of a request whether a body without a signature may be taken. */
export const inboundRoutes = (receiver: Receiver, takesUnsigned: (request: RequestFacts) => boolean) => {
  const inboundRequest = (request: RequestFacts): InboundRequest => ({
    raw: request.rawBody,
    headers: request.headers,
    takesUnsigned: takesUnsigned(request),
  });
  return [
    defineRoute({
      method: 'POST',
      path: '/webhook/taskplatform',
      summary: 'Receive an event of the task platform',
      tags: ['Receivers'],
      access: { signature: true },
      responses: accepted,
      errors: ['invalid_request', 'forbidden'],
      handler: async (_ctx, request) => {
        await receivePlatformEvent(receiver, inboundRequest(request));
        return { status: 200, body: { ok: true } };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/webhook/sourcehost',
      summary: 'Receive an event of the source host',
      tags: ['Receivers'],
      access: { signature: true },
      responses: accepted,
      errors: ['invalid_request', 'forbidden'],
      handler: async (_ctx, request) => {
        await receiveSourceHostEvent(receiver, inboundRequest(request));
        return { status: 200, body: { ok: true } };
      },
    }),
  ];
};
