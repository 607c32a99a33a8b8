import {
  chatAcceptedBody,
  chatRequestForm,
  inboundAcceptedBody,
  platformEventBody,
  receiverErrorResponse,
  sourceHostEventBody,
} from '@eas/contracts';
import type { DescribedOperation } from '@eas/http';
import { z } from 'zod';

const hexDigest = (of: string) =>
  z
    .string()
    .max(71)
    .regex(/^(sha256=)?[0-9a-f]{64}$/)
    .describe(of);

type Sender = Pick<DescribedOperation, 'bodies' | 'headers' | 'description'> & {
  path: string;
  name: string;
  what: string;
  accepted: z.ZodType;
};

const senders: readonly Sender[] = [
  {
    path: '/webhook/taskplatform',
    name: 'PlatformEvent',
    what: 'a platform event',
    description: [
      'Receives what a task platform sends to its webhook. The event is stored once and applied a moment later; a repeated event has no effect.',
    ],
    headers: z.object({
      'X-Signature': hexDigest(
        'HMAC-SHA256 of the raw body with the secret of the integration, in lower-case hex. Only needed where unsigned bodies are refused (`RECEIVER_ALLOW_UNSIGNED`).',
      ).optional(),
    }),
    bodies: [{ type: 'application/json', schema: platformEventBody }],
    accepted: inboundAcceptedBody,
  },
  {
    path: '/webhook/sourcehost',
    name: 'SourceHostEvent',
    what: 'a source host event',
    description: [
      'Receives what a source host sends to its webhook: pull requests, reviews, checks and issues are followed, anything else is ignored. A form with the JSON as `payload` is taken too.',
    ],
    headers: z.object({
      'X-GitHub-Event': z.string().max(100).describe('Name of the event.'),
      'X-GitHub-Delivery': z.string().max(255).optional().describe('ID of the delivery. A repeated one has no effect.'),
      'X-Hub-Signature-256': hexDigest(
        '`sha256=` and the HMAC-SHA256 of the raw body with the secret of the integration, in lower-case hex. Only needed where unsigned bodies are refused.',
      ).optional(),
    }),
    bodies: [{ type: 'application/json', schema: sourceHostEventBody }],
    accepted: inboundAcceptedBody,
  },
  {
    path: '/webhook/chat',
    name: 'ChatRequest',
    what: 'a chat request',
    description: [
      'Receives what a chat workspace sends: a click on a button of a message answers the question of an agent, and the check of the address gets its challenge back; the check comes as JSON.',
    ],
    headers: z.object({
      'X-Slack-Signature': z
        .string()
        .max(67)
        .regex(/^v0=[0-9a-f]{64}$/)
        .describe('Signature of the chat workspace.'),
      'X-Slack-Request-Timestamp': z.string().max(12).regex(/^\d+$/).describe('When it was signed, in Unix seconds.'),
    }),
    bodies: [{ type: 'application/x-www-form-urlencoded', schema: chatRequestForm }],
    accepted: chatAcceptedBody,
  },
];

const refusal = (description: string, code: string, message: string) => ({
  description,
  schema: receiverErrorResponse,
  examples: { [code]: { error: { message, code } } },
});

const refusals = {
  400: refusal('The body is malformed.', 'invalid_request', 'task_id is required.'),
  403: refusal('No secret verifies the signature.', 'forbidden', 'The signature is not valid.'),
  404: refusal('This path does not exist.', 'not_found', 'The resource does not exist.'),
  413: refusal('The body is too large.', 'invalid_request', 'The body is too large.'),
  500: refusal('Something went wrong. Send it again.', 'server_error', 'Something went wrong.'),
  503: refusal('The service is temporarily unavailable. Send it again.', 'server_error', 'Try again later.'),
};

const ofIntegration = z.object({
  integration_id: z.string().min(1).max(64).describe('ID of the integration: its `inbound_url` has it.'),
});

/** For each kind of sender an address for all integrations, and one for each. The receiver serves them. */
export const receivedWebhooks: readonly DescribedOperation[] = senders.flatMap(
  ({ path, name, what, accepted, description, ...sender }) => {
    const shared = {
      ...sender,
      method: 'post',
      tag: 'Received webhooks',
      security: [],
      responses: { 200: { description: 'The body was taken.', schema: accepted }, ...refusals },
    } as const;
    return [
      {
        ...shared,
        path,
        operationId: `send${name}`,
        summary: `Receive ${what}`,
        description: [...description, 'Signed by the sender. The secrets of all integrations of this kind are tried.'],
      },
      {
        ...shared,
        path: `${path}/{integration_id}`,
        operationId: `send${name}ToIntegration`,
        summary: `Receive ${what} of one sender`,
        description: [...description, 'Signed by the sender with the secret of this integration. Use this address.'],
        params: ofIntegration,
      },
    ];
  },
);
