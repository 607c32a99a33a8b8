import { z } from 'zod';
import { freeForm, idOutput, requiredText, timestampInput, timestampOutput, wholeNumberInput } from '../fields.ts';
import { listQuery, listResponse } from '../list.ts';
import { runTimelineItem } from './run-timeline.ts';

export const runStatuses = ['started', 'completed', 'failed', 'cancelled'] as const;
export const stepStatuses = [
  'pending',
  'in_progress',
  'awaiting_approval',
  'completed',
  'failed',
  'skipped',
  'cancelled',
] as const;

export const startRunBody = z.strictObject({
  name: requiredText(200).meta({ example: 'Login rate limiting' }),
  parameters: freeForm()
    .default({})
    .meta({
      description: 'Keys that the workflow declares are checked, others are kept as they are.',
      example: { feature_description: 'Limit failed logins', priority: 'high', repository: 'web', ticket_id: 'ENG-1' },
    }),
});
export type StartRunBody = z.output<typeof startRunBody>;

const runStatus = z.enum(runStatuses).meta({ description: 'Where the run is in its life.' });
const stepStatus = z.enum(stepStatuses).meta({ description: 'Where the step is in its life.' });
const maxSteps = 100;

/** A step as the run object shows it. */
export const runStepSummary = z.object({
  id: idOutput.meta({ example: 'stp_01ks0000000000000000000000' }),
  name: z.string().max(200),
  assignee: idOutput
    .nullable()
    .meta({ description: 'The agent that has it or is meant to; null before it starts, and when its role has none.' }),
  status: stepStatus,
});
export type RunStepSummary = z.infer<typeof runStepSummary>;

const runFields = {
  workflow_run_id: idOutput.meta({ example: 'run_01ks0000000000000000000000' }),
  name: z.string().max(200),
  workflow_id: idOutput.meta({ example: 'wfl_01ks0000000000000000000000' }),
  status: runStatus,
  started_at: timestampOutput,
  estimated_completion: timestampOutput.meta({ description: 'Of a finished run: when it finished.' }),
};

/** A run as its start answers it. */
export const runResource = z.object({
  ...runFields,
  current_step: runStepSummary
    .nullable()
    .meta({ description: 'The first step that is worked on or waits for approval; several may be at once.' }),
  next_steps: z.array(runStepSummary).max(maxSteps).meta({ description: 'All that have not begun.' }),
});
export type RunResource = z.infer<typeof runResource>;

const maxVersion = 2_147_483_647;
const version = z.int().min(1).max(maxVersion).meta({ description: 'Of the workflow; a run keeps it.' });
const pausedAt = timestampOutput.nullable().meta({ description: 'Since when no further step starts.' });

/** A run as lists show it. */
export const runListItem = z.object({
  ...runFields,
  workflow_version: version,
  paused_at: pausedAt,
  finished_at: timestampOutput.nullable(),
});
export type RunListItem = z.infer<typeof runListItem>;

const text = z.string().max(500);

/** The query of GET /v1/runs: every field that items show. */
export const runListQuery = listQuery({
  sortable: [
    ...(['started_at', 'workflow_run_id', 'name', 'workflow_id', 'workflow_version', 'status'] as const),
    ...(['estimated_completion', 'paused_at', 'finished_at'] as const),
  ],
  filters: {
    workflow_run_id: text,
    name: text,
    workflow_id: text,
    workflow_version: wholeNumberInput(1, maxVersion),
    status: z.enum(runStatuses).describe('Where the run is in its life.'),
    started_at: timestampInput,
    estimated_completion: timestampInput,
    paused_at: timestampInput,
    finished_at: timestampInput,
  },
});
/** Filters of the list of runs; an absent one matches everything. */
export type RunFilter = Omit<z.output<typeof runListQuery>, 'limit' | 'offset' | 'after' | 'sort'>;

export const runList = listResponse(runListItem);

/** A step of a run with all that is known of it. */
export const runStepDetail = runStepSummary.extend({
  key: z.string().max(64).meta({ description: 'Its id in the definition.', example: 'implement' }),
  role: z.string().max(64),
  task_id: idOutput.nullable().meta({ description: 'The task of its present or last attempt.' }),
  attempt: z.int().min(0).max(maxVersion).meta({ description: 'Attempts begun.' }),
  started_at: timestampOutput.nullable(),
  finished_at: timestampOutput.nullable(),
  reason: z
    .string()
    .max(2_000)
    .nullable()
    .meta({ description: 'Why it failed, was skipped or cancelled, or is tried again.' }),
  result: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'What it was completed with; later steps read it.' }),
});
export type RunStepDetail = z.infer<typeof runStepDetail>;

/** Entries that a run shows with itself; its timeline has all. */
export const maxRunHistory = 1_000;

/** A run as GET /v1/runs/{run_id} returns it. */
export const runDetail = runResource.extend({
  workflow_version: version,
  parameters: z.record(z.string(), z.unknown()),
  paused_at: pausedAt,
  finished_at: timestampOutput.nullable(),
  steps: z.array(runStepDetail).max(maxSteps).meta({ description: 'In the order of the definition.' }),
  history: z
    .array(runTimelineItem)
    .max(maxRunHistory)
    .meta({ description: `Entries of the timeline, oldest first; of a longer one the newest ${maxRunHistory}.` }),
});
export type RunDetail = z.infer<typeof runDetail>;
