import { z } from 'zod';
import { timestampOutput } from '../../fields.ts';

export const teamId = z
  .string()
  .min(1)
  .max(64)
  .describe(
    'ID of the workspace in the other system. A reconciliation needs it if the token can see more than one workspace.',
  );

const completed = z
  .union([z.string().min(1).max(255), z.literal(false)])
  .describe(
    'Status to set when an agent completes a task. false: the status stays. Without it: the word of `status_map` that means `completed`, else the status of the list whose type is `done` or `closed`.',
  );
const comments = z
  .boolean()
  .describe('Whether results and questions of agents are posted as comments. Without it: they are.');
const statusText = 'Which status is set.';
const writeBackText = 'What is reported to the platform when a `token` is set.';
const example = { status: { completed: 'complete' }, comments: true };

export const writeBack = z
  .strictObject({
    status: z
      .strictObject({ completed: completed.optional() })
      .optional()
      .meta({ id: 'WriteBackStatus', description: statusText, example: example.status }),
    comments: comments.optional(),
  })
  .meta({ id: 'WriteBack', description: writeBackText, example });

/** As a part of a merge patch. */
export const writeBackPatch = z
  .strictObject({
    status: z
      .strictObject({ completed: completed.nullish() })
      .nullish()
      .meta({ id: 'ChangeWriteBackStatus', description: statusText, example: example.status }),
    comments: comments.nullish(),
  })
  .meta({
    id: 'ChangeWriteBack',
    description: writeBackText,
    example: { status: { completed: false }, comments: false },
  });

export type WriteBackPatch = z.infer<typeof writeBackPatch>;
export type WriteBack = z.infer<typeof writeBack>;

export const platformCalls = z
  .object({
    waiting: z.int().min(0).max(1_000).describe('Calls that wait to be made, counted up to 1,000.'),
    failed: z.int().min(0).max(1_000).describe('Calls of the last 30 days that failed for good, counted up to 1,000.'),
    paused_until: timestampOutput
      .nullable()
      .describe('The platform accepts no call before then. null: it accepts calls.'),
    last_error: z.string().max(1_000).nullable().describe('Why the newest call that failed did so, in words.'),
  })
  .meta({
    id: 'PlatformCalls',
    description:
      'Calls to the API of a task platform or source host, of an integration that has had a `token`. Only in the response for one integration.',
    example: { waiting: 0, failed: 0, paused_until: null, last_error: null },
  });
export type PlatformCallsView = z.infer<typeof platformCalls>;
