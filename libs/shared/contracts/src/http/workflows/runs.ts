import { z } from 'zod';
import {
  exampleId,
  exampleTime,
  freeForm,
  idOf,
  requiredText,
  timestampInput,
  timestampOutput,
  wholeNumberInput,
} from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';
import { taskStatus } from '../tasks.ts';
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

const exampleParameters = { feature_description: 'Limit failed logins', priority: 'high', repository: 'web' };

export const startRunBody = z
  .strictObject({
    name: requiredText(200).describe('Name of the run.'),
    parameters: freeForm()
      .default({})
      .describe(
        'Parameters of the run. Those that the workflow declares are checked; others are kept as they are, and no text of a task shows them: `getWorkflow` returns the names.',
      ),
  })
  .meta({
    id: 'StartRun',
    description: 'A new run.',
    example: { name: 'Login rate limiting', parameters: exampleParameters },
  });
export type StartRunBody = z.output<typeof startRunBody>;

const runStatus = z.enum(runStatuses).meta({ id: 'RunStatus', description: 'State of the run.' });
const stepStatus = z.enum(stepStatuses).meta({ id: 'StepStatus', description: 'State of the step.' });
const maxSteps = 100;

const runStepSummary = z
  .object({
    id: idOf('ID of the step.'),
    name: z.string().max(200).describe('Name of the step.'),
    assignee: idOf(
      'The agent that works on the step or is planned for it. null before the step starts, or if no agent has the role.',
    ).nullable(),
    status: stepStatus,
  })
  .meta({ id: 'RunStep', description: 'A step of a run.' });
export type RunStepSummary = z.infer<typeof runStepSummary>;

const runFields = {
  workflow_run_id: idOf('ID of the run.'),
  name: z.string().max(200).describe('Name of the run.'),
  workflow_id: idOf('ID of the workflow.'),
  status: runStatus,
  started_at: timestampOutput.describe('When the run started.'),
  estimated_completion: timestampOutput.describe('When the run will probably finish. For a finished run: when it did.'),
};
const exampleFields = {
  workflow_run_id: exampleId('run'),
  name: 'Login rate limiting',
  workflow_id: exampleId('wfl'),
  status: 'started',
  started_at: exampleTime,
  estimated_completion: '2026-11-23T10:00:00Z',
};
const exampleStep = {
  id: exampleId('stp'),
  name: 'Implement',
  assignee: exampleId('agt'),
  status: 'in_progress',
};
const exampleRun = {
  ...exampleFields,
  current_step: exampleStep,
  next_steps: [{ id: 'stp_01ks0000000000000000000001', name: 'Test', assignee: null, status: 'pending' }],
};

export const runResource = z
  .object({
    ...runFields,
    current_step: runStepSummary
      .nullable()
      .describe('The first step that is in progress or waits for approval. There can be several such steps.'),
    next_steps: z.array(runStepSummary).max(maxSteps).describe('All steps that have not started.'),
  })
  .meta({ id: 'Run', description: 'One execution of a workflow.', example: exampleRun });
export type RunResource = z.infer<typeof runResource>;

const maxVersion = 2_147_483_647;
const version = z.int().min(1).max(maxVersion).describe('The version of the workflow that the run uses.');
const pausedAt = timestampOutput.nullable().describe('Since when the run has been paused. null: it is not.');
const finishedAt = timestampOutput.nullable().describe('When the run finished. null: it has not.');

const runListItem = z
  .object({ ...runFields, workflow_version: version, paused_at: pausedAt, finished_at: finishedAt })
  .meta({
    id: 'RunSummary',
    description: 'A run as lists show it.',
    example: { ...exampleFields, workflow_version: 1, paused_at: null, finished_at: null },
  });
export type RunListItem = z.infer<typeof runListItem>;

const text = z.string().max(500);

export const runListQuery = listQuery({
  sortable: [
    'started_at',
    'workflow_run_id',
    'name',
    'workflow_id',
    'workflow_version',
    'status',
    'estimated_completion',
    'paused_at',
    'finished_at',
  ],
  filters: {
    workflow_run_id: text,
    name: text,
    workflow_id: text,
    workflow_version: wholeNumberInput(1, maxVersion),
    status: z.enum(runStatuses),
    started_at: timestampInput,
    estimated_completion: timestampInput,
    paused_at: timestampInput,
    finished_at: timestampInput,
    finished_after: timestampInput.meta({ description: 'Only runs that finished after this time.' }),
  },
});
export type RunFilter = Omit<z.output<typeof runListQuery>, 'limit' | 'offset' | 'after' | 'sort'>;

export const runList = listResponse(runListItem);

const runStepDetail = runStepSummary
  .extend({
    key: z.string().max(64).meta({ description: 'Name of the step in the definition.', example: 'implement' }),
    role: z.string().max(64).describe('The role whose agents work on the step.'),
    needs: z.array(z.string().max(64)).max(maxSteps).describe('The `key` of each step that comes before this one.'),
    task_id: idOf('The task of the present or last attempt.').nullable(),
    task_status: taskStatus.nullable().describe('Status of that task.'),
    attempt: z.int().min(0).max(maxVersion).describe('Number of attempts that were started.'),
    started_at: timestampOutput.nullable().describe('When the step started.'),
    finished_at: timestampOutput.nullable().describe('When the step finished.'),
    reason: z
      .string()
      .max(2_000)
      .nullable()
      .describe('Why the step failed, was skipped, was cancelled, or is tried again.'),
    result: z.record(z.string(), z.unknown()).nullable().describe('The result of its task. Later steps can read it.'),
  })
  .meta({ id: 'RunStepDetail', base: 'RunStep', description: 'A step of a run with its task and result.' });
export type RunStepDetail = z.infer<typeof runStepDetail>;

/** Number of entries in a run; its timeline has all. */
export const maxRunHistory = 1_000;

export const runDetail = runResource
  .extend({
    workflow_version: version,
    parameters: z.record(z.string(), z.unknown()).describe('The parameters that the run was started with.'),
    paused_at: pausedAt,
    finished_at: finishedAt,
    steps: z.array(runStepDetail).max(maxSteps).describe('All steps in the order of the definition.'),
    history: z
      .array(runTimelineItem)
      .max(maxRunHistory)
      .describe(`The timeline, oldest entry first: at most the newest ${maxRunHistory} entries.`),
  })
  .meta({
    id: 'RunDetail',
    base: 'Run',
    description: 'A run with all of its steps and its history.',
    example: {
      ...exampleRun,
      next_steps: [],
      workflow_version: 1,
      parameters: exampleParameters,
      paused_at: null,
      finished_at: null,
      steps: [
        {
          ...exampleStep,
          key: 'implement',
          role: 'rd',
          needs: [],
          task_id: exampleId('tsk'),
          task_status: 'in_progress',
          attempt: 1,
          started_at: exampleTime,
          finished_at: null,
          reason: null,
          result: null,
        },
      ],
      history: [{ id: '0000000001', seq: 1, timestamp: exampleTime, actor: exampleId('usr'), type: 'started' }],
    },
  });
export type RunDetail = z.infer<typeof runDetail>;
