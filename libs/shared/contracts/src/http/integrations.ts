import { z } from 'zod';
import { idOutput, requiredText, timestampInput, timestampOutput } from './fields.ts';
import { listQuery } from './list.ts';
import { subscriptionInput } from './subscription-input.ts';

export const integrationTypes = ['taskplatform', 'github', 'slack'] as const;
export type IntegrationType = (typeof integrationTypes)[number];

/** Only an active one receives. */
export const integrationStatuses = ['active', 'degraded', 'disconnected'] as const;

/** What a status word of the platform means for a task: work to do, done, called off, or waiting for the platform. */
export const platformStatusMeanings = ['open', 'completed', 'cancelled', 'hold'] as const;
export type PlatformStatusMeaning = (typeof platformStatusMeanings)[number];

const name = requiredText(200);
const secret = z.string().min(1).max(256).describe('Signs what the other side sends. Never returned.');
const token = z.string().min(1).max(1_024).describe('For calls to the other side. Never returned.');
const names = z.array(name).max(100);
const subscriptions = z.array(subscriptionInput).max(100);
const webhookId = z
  .string()
  .min(1)
  .max(255)
  .describe('Id of the sending webhook. Without it the integration answers for every webhook of its secret.');
const statusWord = z.string().min(1).max(255);
const meaning = z.enum(platformStatusMeanings).describe('What the word means for our task; hold: it waits.');
/** Status words that one integration may define. */
export const maxStatusWords = 200;
const statusMapOf = <M extends z.ZodType>(value: M) =>
  z.record(statusWord, value).refine((map) => Object.keys(map).length <= maxStatusWords, {
    params: { constraint: 'max_length' },
    message: `must have at most ${maxStatusWords} words`,
  });
const statusMap = statusMapOf(meaning);
const webhookUrl = z
  .url({ protocol: /^https$/ })
  .max(2_048)
  .meta({ description: 'An https address. Never returned.', pattern: '^[Hh][Tt][Tt][Pp][Ss]://' });

/** What a client reads of an integration and may post back; ignored. */
const readOnly = {
  id: z.unknown().optional(),
  status: z.unknown().optional(),
  status_reason: z.unknown().optional(),
  connected_at: z.unknown().optional(),
  inbound_url: z.unknown().optional(),
};

/** Body of POST /v1/integrations. */
export const createIntegrationBody = z.discriminatedUnion('type', [
  z.strictObject({
    ...readOnly,
    type: z.literal('taskplatform'),
    webhook_id: webhookId.nullish(),
    secret,
    token: token.nullish(),
    status_map: statusMap.nullish().describe('Status words of the platform beyond the built-in ones.'),
  }),
  z.strictObject({
    ...readOnly,
    type: z.literal('github'),
    org_name: name.describe('Organisation, or owner of the repositories.'),
    repositories: names.nullish().describe('For reading; bodies of every repository of the owner are taken.'),
    secret,
  }),
  z.strictObject({
    ...readOnly,
    type: z.literal('slack'),
    workspace_name: name,
    channels: names.nullish(),
    webhook_url: webhookUrl.nullish(),
    token: token.nullish(),
    events: subscriptions.nullish(),
  }),
]);
export type CreateIntegrationBody = z.infer<typeof createIntegrationBody>;

const shapes = Object.fromEntries(createIntegrationBody.options.map(({ shape }) => [shape.type.value, shape]));
/** The fields that an integration of the type has. */
export const integrationFields = (type: IntegrationType): readonly string[] => Object.keys(shapes[type] ?? {});

/**
 * Body of PATCH /v1/integrations/{integration_id}: a merge patch with the fields of the integration's type. What may be
 * left out at creation is cleared by null; a secret that is given replaces the one before.
 */
export const changeIntegrationBody = z.object({
  type: z.enum(integrationTypes).optional().describe('The type that it has: it never changes.'),
  status: z
    .enum(integrationStatuses)
    .optional()
    .describe('`disconnected` switches it off, `active` on again; `degraded` is the service’s own word.'),
  webhook_id: webhookId.nullish(),
  secret: secret.optional(),
  token: token.nullish(),
  status_map: statusMapOf(meaning.nullable()).nullish().describe('Merged word by word; null takes a word out.'),
  org_name: name.optional(),
  repositories: names.nullish(),
  workspace_name: name.optional(),
  channels: names.nullish(),
  webhook_url: webhookUrl.nullish(),
  events: subscriptions.nullish(),
});
export type ChangeIntegrationBody = z.output<typeof changeIntegrationBody>;

/** An integration as it is returned; fields beyond the first four depend on the type. */
export const integration = z.object({
  id: idOutput,
  type: z.enum(integrationTypes).describe('The kind of third-party system.'),
  status: z.enum(integrationStatuses).describe('degraded says why in status_reason.'),
  connected_at: timestampOutput,
  inbound_url: z
    .string()
    .max(2_048)
    .optional()
    .describe(
      'Of `taskplatform` and `github`: where the other side should send this integration’s webhooks. There its secret alone is tried; at the common address it is one of several.',
    ),
  status_reason: z.string().max(1_000).optional(),
  webhook_id: z.string().max(255).optional(),
  status_map: statusMap.optional(),
  org_name: name.optional(),
  repositories: names.optional(),
  workspace_name: name.optional(),
  channels: names.optional(),
  events: names.optional(),
});
export type IntegrationView = z.infer<typeof integration>;

const text = (maxLength: number) => z.string().max(maxLength);
const filters = {
  id: text(64),
  type: text(64),
  status: text(64),
  connected_at: timestampInput,
  status_reason: text(1_000),
  webhook_id: text(255),
  org_name: text(200),
  workspace_name: text(200),
};
export const integrationListFields = Object.keys(filters) as [keyof typeof filters];

/** Query of GET /v1/integrations: its answer has no place for a cursor. */
export const integrationListQuery = z.object(
  (({ after: _after, ...shape }) => shape)(listQuery({ sortable: integrationListFields, filters }).shape),
);
export type IntegrationListQuery = z.output<typeof integrationListQuery>;

/** Answer of GET /v1/integrations: no metadata, as the interface has it. */
export const integrationList = z.object({ data: z.array(integration).max(100) });
