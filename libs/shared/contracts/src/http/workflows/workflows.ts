import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampOutput, wholeNumberInput } from '../../fields.ts';
import { listOf, listQuery } from '../list.ts';
import { exampleDefinition, workflowDefinition } from './workflow-definition.ts';

const exampleWorkflow = {
  id: exampleId('wfl'),
  name: exampleDefinition.name,
  description: exampleDefinition.description,
  steps: exampleDefinition.steps.length,
  estimated_duration: exampleDefinition.estimated_duration,
};

const workflowResource = z
  .object({
    id: idOf('ID of the workflow.'),
    name: z.string().max(200).describe('Its name.'),
    description: z.string().max(65_536).describe('What it is for.'),
    steps: z.int().min(1).max(100).describe('Number of steps.'),
    estimated_duration: z.string().max(100).describe('How long a run takes, as text: `2-5 days`.'),
  })
  .meta({ id: 'Workflow', description: 'A predefined sequence of steps.', example: exampleWorkflow });
export type WorkflowResource = z.infer<typeof workflowResource>;

export const workflowDetail = workflowResource
  .extend({
    version: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .describe('Grows with each change. A run keeps the version that it started with.'),
    created_at: timestampOutput.describe('When the workflow was created.'),
    updated_at: timestampOutput.describe('When the workflow was last changed.'),
    archived_at: timestampOutput
      .nullable()
      .describe('Since when no run of the workflow can start. null: it is not archived.'),
    definition: workflowDefinition,
  })
  .meta({
    id: 'WorkflowDetail',
    base: 'Workflow',
    description: 'A workflow with its definition.',
    example: {
      ...exampleWorkflow,
      version: 1,
      created_at: exampleTime,
      updated_at: exampleTime,
      archived_at: null,
      definition: exampleDefinition,
    },
  });
export type WorkflowDetail = z.input<typeof workflowDetail>;

const filters = {
  id: z.string().max(500),
  name: z.string().max(500),
  description: z.string().max(4_000),
  steps: wholeNumberInput(0, 1_000).meta({ description: 'Only workflows with this number of steps.' }),
  estimated_duration: z.string().max(500),
};
const isArchived = z.enum(['true', 'false', 'any']).meta({
  default: 'false',
  description: 'Only archived workflows (`true`), only others (`false`), or `any` workflows.',
});
export const workflowListFields = Object.keys(filters) as [keyof typeof filters];

/** Query of GET /v1/workflows: its response has no field for a cursor. */
export const workflowListQuery = z.object(
  (({ after: _after, ...shape }) => shape)(
    listQuery({ sortable: workflowListFields, filters: { ...filters, is_archived: isArchived } }).shape,
  ),
);
export type WorkflowListQuery = z.output<typeof workflowListQuery>;

/** Response of GET /v1/workflows: no metadata, as the interface has it. */
export const workflowList = listOf(workflowResource);
