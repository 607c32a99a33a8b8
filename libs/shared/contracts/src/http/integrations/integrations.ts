import { z } from 'zod';
import { exampleId, exampleTime, idOf, requiredText, role, timestampInput, timestampOutput } from '../../fields.ts';
import { sharedSecret, tokenInput } from '../../secrets.ts';
import { listOf, listQuery } from '../list.ts';
import { platformCalls, teamId, writeBack, writeBackPatch } from '../platform/platform-settings.ts';
import { subscriptionInput } from '../subscription-input.ts';

const integrationTypes = ['taskplatform', 'github', 'slack'] as const;
export type IntegrationType = (typeof integrationTypes)[number];

/** A disconnected one receives nothing. */
export const integrationStatuses = ['active', 'degraded', 'disconnected'] as const;

/** The meaning of a platform's status for a task: work to do, done, cancelled, or waiting for the platform. */
const platformStatusMeanings = ['open', 'completed', 'cancelled', 'hold'] as const;
export type PlatformStatusMeaning = (typeof platformStatusMeanings)[number];

const name = requiredText(200);
const secret = sharedSecret.describe(
  'The secret with which the other system signs its webhooks. It is never returned.',
);
const token = tokenInput.describe('Credential for calls to the other system. It is never returned.');
const sourceHostToken = tokenInput.describe(
  'Credential with which pull requests are opened for tasks whose branch was pushed. It needs to read contents and to write pull requests of the repositories. It is never returned.',
);
const names = z.array(name).max(100);
/** A schema of maps from words of the other system, at most `most` of them. */
const mapOf =
  (most: number, words: string) =>
  <M extends z.ZodType>(value: M) =>
    z.record(z.string().min(1).max(255), value).refine((map) => Object.keys(map).length <= most, {
      params: { constraint: 'max_length' },
      message: `must have at most ${most} ${words}`,
    });
const subscriptions = z.array(subscriptionInput).max(100);
const webhookId = z
  .string()
  .min(1)
  .max(255)
  .describe(
    'ID of the webhook in the other system. Without it the integration accepts every webhook that its secret signs.',
  );
const meaning = z
  .enum(platformStatusMeanings)
  .meta({ id: 'PlatformStatusMeaning', description: 'What the word means for the task. hold: the task waits.' });
export const maxStatusWords = 200;
const statusMapOf = mapOf(maxStatusWords, 'words');
const statusMap = statusMapOf(meaning);
export const maxMappedUsers = 500;
const assigneeMapOf = mapOf(maxMappedUsers, 'users');
const assignee = role.meta({ description: 'A role, or the ID of an agent.', example: 'rd' });
const assigneeMap = assigneeMapOf(assignee);
const assigneeMapText =
  'Users of the platform (id, e-mail address or name) and the agent (its ID) or role that gets what is assigned to them.';
export const maxMappedPlaces = 500;
const projectMapOf = mapOf(maxMappedPlaces, 'lists, folders and spaces');
const projectId = idOf('ID of the project.');
const projectMap = projectMapOf(projectId);
const projectMapText =
  'Lists, folders and spaces of the platform (their IDs) and the project that their tasks get (its ID). The list counts before its folder, and the folder before its space.';
export const maxLabels = 200;
const labelsOf = mapOf(maxLabels, 'labels');
const labels = labelsOf(assignee);
const labelsText =
  'Labels of issues and the role or agent (its ID) that gets the task. An issue with one of these labels becomes a task.';
const completeOnMerge = z
  .boolean()
  .describe('Whether a merged pull request completes the task that it is linked to. Default: it does not.');
/** Its scheme, port and host are checked as those of webhooks are. */
const webhookUrl = z
  .url()
  .max(2_048)
  .describe('Incoming-webhook address of the workspace: https, on a public host. It is never returned.');
const typeOf = <const T extends string>(type: T) => z.literal(type).describe('The kind of system.');
const statusMapText = 'Meanings of status words of the platform, in addition to the built-in ones.';
const orgText = 'The organisation or user that owns the repositories.';
const repositoriesText =
  'Repositories, by name or as `owner/name`. Webhooks of others are accepted and ignored. Empty: all repositories of the owner.';
const workspaceText = 'Name of the workspace.';
const channelsText =
  'Channels (ID or name) to which events are posted with `token`. With `webhook_url` alone the address decides the channel.';
const eventsText = 'Events to post to the workspace. You need the scopes to read them.';
const signingSecret = sharedSecret.describe(
  'The secret with which the workspace signs clicks on buttons. With it, questions of agents can be answered in the chat. It is never returned.',
);

/** What a client reads of an integration and may post back; ignored. */
const ignored = z.unknown().optional().meta({ readOnly: true, description: 'Accepted and ignored.' });
export const integrationReadOnly = [
  'id',
  'status_reason',
  'connected_at',
  'inbound_url',
  'previous_secret_until',
  'last_received_at',
  'last_applied_at',
  'last_error',
  'platform_calls',
] as const;
const readOnly = Object.fromEntries([...integrationReadOnly, 'status'].map((field) => [field, ignored])) as Record<
  (typeof integrationReadOnly)[number] | 'status',
  typeof ignored
>;

const silenceAlarmHours = z
  .int()
  .min(1)
  .max(8_760)
  .describe(
    'If nothing is received for this number of hours, the status becomes `degraded` with the reason `silent`, until the next webhook. Without it there is no alarm.',
  );

export const createIntegrationBody = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        ...readOnly,
        type: typeOf('taskplatform'),
        webhook_id: webhookId.nullish(),
        secret,
        token: token.nullish(),
        status_map: statusMap.nullish().describe(statusMapText),
        assignee_map: assigneeMap.nullish().describe(assigneeMapText),
        project_map: projectMap.nullish().describe(projectMapText),
        team_id: teamId.nullish(),
        write_back: writeBack.nullish(),
        silence_alarm_hours: silenceAlarmHours.nullish(),
      })
      .meta({ id: 'CreateTaskPlatformIntegration', description: 'Connects a task-management platform.' }),
    z
      .strictObject({
        ...readOnly,
        type: typeOf('github'),
        org_name: name.describe(orgText),
        repositories: names.nullish().describe(repositoriesText),
        labels: labels.nullish().describe(labelsText),
        complete_on_merge: completeOnMerge.nullish(),
        secret,
        token: sourceHostToken.nullish(),
        silence_alarm_hours: silenceAlarmHours.nullish(),
      })
      .meta({ id: 'CreateGithubIntegration', description: 'Connects a source host.' }),
    z
      .strictObject({
        ...readOnly,
        type: typeOf('slack'),
        workspace_name: name.describe(workspaceText),
        channels: names.nullish().describe(channelsText),
        webhook_url: webhookUrl.nullish(),
        token: token.nullish(),
        signing_secret: signingSecret.nullish(),
        events: subscriptions.nullish().describe(eventsText),
      })
      .meta({ id: 'CreateSlackIntegration', description: 'Connects a chat workspace.' }),
  ])
  .meta({
    id: 'CreateIntegration',
    description: 'A new integration. Its fields depend on the type.',
    example: { type: 'github', org_name: 'acme', repositories: ['web'], secret: 'a-secret-of-16-or-more-characters' },
  });
export type CreateIntegrationBody = z.infer<typeof createIntegrationBody>;

const shapes = Object.fromEntries(createIntegrationBody.options.map(({ shape }) => [shape.type.value, shape]));
export const integrationFields = (type: IntegrationType): readonly string[] => Object.keys(shapes[type] ?? {});

/**
 * Body of PATCH /v1/integrations/{integration_id}: a merge patch with the fields of the integration's type. null clears
 * a field that is optional at creation; a new secret replaces the previous one.
 */
export const changeIntegrationBody = z
  .object({
    type: z.enum(integrationTypes).optional().describe('The present type. It cannot be changed.'),
    status: z
      .enum(integrationStatuses)
      .optional()
      .describe('`disconnected` switches the integration off, `active` on again. Only the service sets `degraded`.'),
    webhook_id: webhookId.nullish(),
    secret: secret.optional(),
    token: token.nullish(),
    status_map: statusMapOf(meaning.nullable()).nullish().describe('Merged word by word. null removes a word.'),
    assignee_map: assigneeMapOf(assignee.nullable()).nullish().describe('Merged user by user. null removes a user.'),
    project_map: projectMapOf(projectId.nullable()).nullish().describe('Merged ID by ID. null removes one.'),
    team_id: teamId.nullish(),
    write_back: writeBackPatch.nullish().describe('Merged field by field. null removes a field.'),
    org_name: name.optional().describe(orgText),
    repositories: names.nullish().describe(repositoriesText),
    labels: labelsOf(assignee.nullable()).nullish().describe('Merged label by label. null removes a label.'),
    complete_on_merge: completeOnMerge.nullish(),
    workspace_name: name.optional().describe(workspaceText),
    channels: names.nullish().describe(channelsText),
    webhook_url: webhookUrl.nullish(),
    signing_secret: signingSecret.nullish(),
    events: subscriptions.nullish().describe(eventsText),
    silence_alarm_hours: silenceAlarmHours.nullish(),
  })
  .meta({
    id: 'ChangeIntegration',
    description: 'A JSON merge patch with the fields of the integration’s type.',
    example: { repositories: ['web', 'app'], status: 'active' },
  });
export type ChangeIntegrationBody = z.output<typeof changeIntegrationBody>;

/** An integration as it is returned; fields beyond the first four depend on the type. */
export const integration = z
  .object({
    id: idOf('ID of the integration.'),
    type: z.enum(integrationTypes).describe('The kind of system.'),
    status: z
      .enum(integrationStatuses)
      .describe('active: it works; degraded: see `status_reason`; disconnected: it was switched off.'),
    connected_at: timestampOutput.describe('When the system was connected.'),
    inbound_url: z
      .string()
      .max(2_048)
      .optional()
      .describe(
        'The address to which the other system should send the webhooks of this integration; for `slack`, the clicks on buttons (its request URL for interactivity).',
      ),
    status_reason: z.string().max(1_000).optional().describe('Why the status is degraded.'),
    webhook_id: z.string().max(255).optional().describe('ID of the webhook in the other system.'),
    status_map: statusMap.optional().describe(statusMapText),
    assignee_map: assigneeMap.optional().describe(assigneeMapText),
    project_map: projectMap.optional().describe(projectMapText),
    team_id: teamId.optional(),
    write_back: writeBack.optional(),
    platform_calls: platformCalls.optional(),
    org_name: name.optional().describe(orgText),
    repositories: names.optional().describe(repositoriesText),
    labels: labels.optional().describe(labelsText),
    complete_on_merge: completeOnMerge.optional(),
    workspace_name: name.optional().describe(workspaceText),
    channels: names.optional().describe(channelsText),
    events: names.optional().describe(eventsText),
    silence_alarm_hours: silenceAlarmHours.optional(),
    previous_secret_until: timestampOutput
      .optional()
      .describe('After a rotation: until when webhooks signed with the previous secret are accepted.'),
    last_received_at: timestampOutput
      .optional()
      .describe('When it last received a webhook that it signed. It can lag by 5 seconds.'),
    last_applied_at: timestampOutput.optional().describe('When one was last applied.'),
    last_error: z
      .object({
        at: timestampOutput.describe('When it happened.'),
        reason: z
          .string()
          .max(64)
          .describe(
            'A word for programs: `signature` if a webhook came to `inbound_url` with a wrong signature; for `slack` the error of the chat, such as `channel_not_found`; `api_denied`, `api_refused` or `api_unavailable` if a call to the API of the other system failed; else the `reason` of the inbound event that failed.',
          ),
      })
      .optional()
      .meta({
        id: 'IntegrationError',
        description: 'The last error, also if it is over.',
        example: { at: exampleTime, reason: 'signature' },
      }),
  })
  .meta({
    id: 'Integration',
    description: 'A connected third-party system. Which fields it has depends on the type.',
    example: {
      id: exampleId('int'),
      type: 'github',
      status: 'active',
      connected_at: exampleTime,
      inbound_url: `https://agents.example.com/webhook/sourcehost/${exampleId('int')}`,
      org_name: 'acme',
      repositories: ['web'],
    },
  });
export type IntegrationView = z.infer<typeof integration>;

/** Body of the rotation of an integration's secret. */
export const rotateIntegrationBody = z
  .object({ secret: secret.optional() })
  .meta({ id: 'RotateIntegrationSecret', description: 'The new secret.', example: {} });

/** Response of the rotation: the only one with the generated secret. */
export const rotatedIntegration = integration
  .extend({
    secret: z
      .string()
      .max(256)
      .optional()
      .describe('The secret that the service created. It is shown only in this response.'),
  })
  .meta({
    id: 'RotatedIntegration',
    base: 'Integration',
    description: 'The integration with its new secret.',
    example: {
      id: exampleId('int'),
      type: 'github',
      status: 'active',
      connected_at: exampleTime,
      inbound_url: `https://agents.example.com/webhook/sourcehost/${exampleId('int')}`,
      org_name: 'acme',
      repositories: ['web'],
      previous_secret_until: '2026-11-21T10:00:00Z',
      secret: 'made-by-the-service-and-shown-once',
    },
  });
export type RotatedIntegration = z.infer<typeof rotatedIntegration>;

/** What the test of an integration found. */
export const integrationTest = z
  .object({
    integration_id: idOf('ID of the integration.'),
    inbound_url: z.string().max(2_048).describe('The address to which the other system should send its webhooks.'),
    is_accepted: z
      .boolean()
      .describe(
        'Whether a webhook that is signed with the stored secret is accepted there; for `slack`: whether the chat accepted a test message.',
      ),
    reason: z
      .enum(['disconnected', 'secret_not_readable', 'refused', 'no_address', 'no_response', 'rate_limited'])
      .nullable()
      .describe(
        'Why not. disconnected: it is switched off; secret_not_readable: the key that encrypted its secret is missing; refused: the signature, or the message, was not accepted; no_address: there is no `webhook_url`, and no `token` with `channels`; no_response: the chat sent no usable response; rate_limited: it got too many messages. New values can be added.',
      ),
    error: z
      .string()
      .max(64)
      .nullable()
      .optional()
      .describe('For `slack`: the error of the chat as a word for programs, such as `channel_not_found`.'),
    detail: z.string().max(1_000).nullable().optional().describe('For `slack`: the error for people.'),
    last_received_at: timestampOutput
      .nullable()
      .describe('When the other system last sent a webhook that was accepted.'),
  })
  .meta({
    id: 'IntegrationTest',
    description: 'What the test of an integration found.',
    example: {
      integration_id: exampleId('int'),
      inbound_url: `https://agents.example.com/webhook/sourcehost/${exampleId('int')}`,
      is_accepted: true,
      reason: null,
      last_received_at: exampleTime,
    },
  });
export type IntegrationTest = z.infer<typeof integrationTest>;

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

/** Query of GET /v1/integrations: its response has no field for a cursor. */
export const integrationListQuery = z.object(
  (({ after: _after, ...shape }) => shape)(listQuery({ sortable: integrationListFields, filters }).shape),
);
export type IntegrationListQuery = z.output<typeof integrationListQuery>;

/** Response of GET /v1/integrations: no metadata, as the interface has it. */
export const integrationList = listOf(integration);
