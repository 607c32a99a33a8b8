import { z } from 'zod';
import { idOutput, timestampOutput } from './fields.ts';
import { listQuery } from './list.ts';

export const integrationTypes = ['taskplatform', 'github', 'slack'] as const;
export type IntegrationType = (typeof integrationTypes)[number];

/** What a status word of the platform means for a task: work to do, done, called off, or waiting for the platform. */
export const platformStatusMeanings = ['open', 'completed', 'cancelled', 'hold'] as const;
export type PlatformStatusMeaning = (typeof platformStatusMeanings)[number];

const name = z.string().min(1).max(200);
const secret = z.string().min(1).max(256).describe('Signs what the other side sends. Never returned.');
const token = z.string().min(1).max(1_024).describe('For calls to the other side. Never returned.');
const names = z.array(name).max(100);
const webhookId = z
  .string()
  .min(1)
  .max(255)
  .describe('Id of the sending webhook. Without it the integration answers for every webhook of its secret.');
const statusMap = z.record(z.string().min(1).max(255), z.enum(platformStatusMeanings));

/** What a client reads of an integration and may post back; ignored. */
const readOnly = {
  id: z.unknown().optional(),
  status: z.unknown().optional(),
  status_reason: z.unknown().optional(),
  connected_at: z.unknown().optional(),
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
    webhook_url: z
      .url({ protocol: /^https$/ })
      .max(2_048)
      .nullish()
      .describe('Never returned.'),
    token: token.nullish(),
    events: names.nullish(),
  }),
]);
export type CreateIntegrationBody = z.infer<typeof createIntegrationBody>;

/** An integration as it is returned; fields beyond the first four depend on the type. */
export const integration = z.object({
  id: idOutput,
  type: z.enum(integrationTypes),
  status: z.enum(['active', 'degraded', 'disconnected']),
  connected_at: timestampOutput,
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

const page = listQuery({ sortable: ['connected_at'] }).shape;
/** Query of GET /v1/integrations. */
export const integrationListQuery = z.object({ limit: page.limit, offset: page.offset });

/** Answer of GET /v1/integrations: no metadata, as the interface has it. */
export const integrationList = z.object({ data: z.array(integration).max(100) });
