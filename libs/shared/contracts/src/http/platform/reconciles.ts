import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput } from '../../fields.ts';

export const createReconcileBody = z
  .strictObject({
    since: timestampInput.describe(
      'The platform is asked for tasks that it changed after this time: at most a year ago.',
    ),
    until: timestampInput
      .nullish()
      .describe('And before this time. Without it there is no end: what changes meanwhile is compared too.'),
  })
  .meta({
    id: 'CreateReconciliation',
    description: 'Which changes of the platform to compare with.',
    example: { since: exampleTime },
  });
export type CreateReconcileBody = z.output<typeof createReconcileBody>;

const count = (description: string) => z.int().min(0).max(2_147_483_647).describe(description);

export const reconcile = z
  .object({
    id: idOf('ID of the reconciliation.'),
    integration_id: idOf('ID of the integration.'),
    status: z.enum(['running', 'completed', 'cancelled', 'failed']).meta({
      id: 'ReconciliationStatus',
      description:
        'running: pages of tasks are read; completed: all of them were; cancelled: by a caller; failed: see `last_error`. New values can be added.',
    }),
    since: timestampOutput.describe('Tasks that the platform changed after this time.'),
    until: timestampOutput.nullable().describe('And before this time. null: no end.'),
    seen: count('Number of tasks that the platform listed so far.'),
    created: count('Number of them that were new.'),
    updated: count('Number of them of which something differed.'),
    unchanged: count('Number of them of which nothing differed.'),
    failed: count('Number of them that could not be read or applied.'),
    last_error: z
      .string()
      .max(1_000)
      .nullable()
      .describe('Why it failed, or why the last call to the platform did, in words. null: no call failed.'),
    created_by: z.string().max(64).describe('Who created the reconciliation.'),
    created_at: timestampOutput.describe('When the reconciliation was created.'),
    updated_at: timestampOutput.describe('When it last made progress.'),
    finished_at: timestampOutput.nullable().describe('When it ended.'),
  })
  .meta({
    id: 'Reconciliation',
    description: 'Compares the tasks that a platform changed with those of the service, and repairs the difference.',
    example: {
      id: exampleId('rec'),
      integration_id: exampleId('int'),
      status: 'running',
      since: exampleTime,
      until: null,
      seen: 100,
      created: 2,
      updated: 5,
      unchanged: 93,
      failed: 0,
      last_error: null,
      created_by: exampleId('usr'),
      created_at: exampleTime,
      updated_at: exampleTime,
      finished_at: null,
    },
  });
export type ReconcileResource = z.infer<typeof reconcile>;
