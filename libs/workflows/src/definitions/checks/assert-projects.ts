import type { WorkflowDefinition } from '@eas/contracts';
import { AppError, type Violation } from '@eas/core';
import type { Tx } from '@eas/db';
import { findUnknownProjects } from '@eas/tasks';
import { pathsIn } from '../language/placeholder.ts';

/** Throws invalid_input for projects that are named without a placeholder and do not exist. */
export async function assertProjects(tx: Tx, { project, steps }: WorkflowDefinition): Promise<void> {
  const named = [
    ['project', project] as const,
    ...steps.map(({ task }, index) => [`steps.${index}.task.project`, task.project] as const),
  ].flatMap(([field, id]) => (id === undefined || pathsIn(id, 1).length > 0 ? [] : [{ field, id: id.trim() }]));
  const unknown = await findUnknownProjects(
    tx,
    named.map(({ id }) => id),
  );
  const violations = named.flatMap(({ field, id }): Violation[] =>
    unknown.has(id) ? [{ field, constraint: 'format', message: 'must be the id of an existing project' }] : [],
  );
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
}
