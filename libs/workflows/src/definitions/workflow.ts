import type { WorkflowDefinition, WorkflowDetail } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';

export type Workflow = {
  id: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** Since when no run of it can start. */
  archivedAt: Date | null;
  definition: WorkflowDefinition;
  createdBy: string;
};

/** As it is read alone, with the version that its ETag names. */
export function shown(workflow: Workflow): { body: WorkflowDetail; version: number } {
  const { id, version, createdAt, updatedAt, archivedAt, definition } = workflow;
  const body = {
    id,
    name: definition.name,
    description: definition.description,
    steps: definition.steps.length,
    estimated_duration: definition.estimated_duration,
    version,
    created_at: formatTimestamp(createdAt),
    updated_at: formatTimestamp(updatedAt),
    archived_at: archivedAt && formatTimestamp(archivedAt),
    definition,
  };
  return { body, version };
}

export const noSuchWorkflow = (): AppError => new AppError('not_found', { message: 'The workflow does not exist.' });
