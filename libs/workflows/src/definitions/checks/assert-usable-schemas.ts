import type { WorkflowDefinition } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { DbScope } from '@eas/db';
import { assertUsableAcceptance } from '@eas/tasks';

/** Throws invalid_input with the path of the first unusable schema. Call it before a transaction begins. */
export async function assertUsableSchemas(
  scope: Pick<DbScope, 'tenantId'>,
  { steps }: Pick<WorkflowDefinition, 'steps'>,
): Promise<void> {
  for (const [index, { task }] of steps.entries())
    await assertUsableAcceptance(scope, task.contract).catch((error: unknown) => {
      throw atPath(`steps.${index}.task`, error);
    });
}

/** The same refusal, with the path of the schema in the definition. */
function atPath(path: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, headers } = error;
  const violations = error.violations.map((violation) => ({ ...violation, field: `${path}.${violation.field}` }));
  return new AppError(code, violations.length > 0 ? { headers, violations } : { headers, message: error.message });
}
