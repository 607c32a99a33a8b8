import { z } from 'zod';
import { idOutput, timestampOutput, wholeNumberInput } from '../fields.ts';
import { listQuery } from '../list.ts';
import { workflowDefinition } from './workflow-definition.ts';

/** A workflow as lists show it. */
export const workflowResource = z.object({
  id: idOutput.meta({ example: 'wfl_01ks0000000000000000000000' }),
  name: z.string().max(200),
  description: z.string().max(65_536),
  steps: z.int().min(1).max(100).meta({ description: 'Number of steps.' }),
  estimated_duration: z.string().max(100).meta({ example: '2-5 days' }),
});
export type WorkflowResource = z.infer<typeof workflowResource>;

/** A workflow as it is read alone. */
export const workflowDetail = workflowResource.extend({
  version: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .meta({ description: 'Grows with each change; a run keeps the one that it started with.' }),
  created_at: timestampOutput,
  updated_at: timestampOutput,
  definition: workflowDefinition.meta({ description: 'All of it, as POST takes it.' }),
});
export type WorkflowDetail = z.input<typeof workflowDetail>;

const filters = {
  id: z.string().max(500),
  name: z.string().max(500),
  description: z.string().max(4_000),
  steps: wholeNumberInput(0, 1_000).meta({ description: 'Workflows with that many steps.' }),
  estimated_duration: z.string().max(500),
};
export const workflowListFields = Object.keys(filters) as [keyof typeof filters];

/** Query of GET /v1/workflows: its answer has no place for a cursor. */
export const workflowListQuery = z.object(
  (({ after: _after, ...shape }) => shape)(listQuery({ sortable: workflowListFields, filters }).shape),
);
export type WorkflowListQuery = z.output<typeof workflowListQuery>;

/** Answer of GET /v1/workflows: no metadata, as the interface has it. */
export const workflowList = z.object({ data: z.array(workflowResource).max(100) });
