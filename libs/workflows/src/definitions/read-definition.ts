import { ruleOfIssue, type WorkflowDefinition, workflowDefinition } from '@eas/contracts';
import { AppError, type Constraint, type Violation, violationSentence } from '@eas/core';
import { checkDefinition } from './checks/check-definition.ts';

/**
 * Reads a definition from JSON: a file, or the result of a merge patch. Throws invalid_input with the path of each
 * problem.
 */
export function readDefinition(input: unknown): WorkflowDefinition {
  const parsed = workflowDefinition.safeParse(input, { error: ruleOfIssue });
  if (parsed.success) return checkDefinition(parsed.data);
  const violations = parsed.error.issues.map((issue) => toViolation(issue, input));
  throw new AppError('invalid_input', { message: violations.map(violationSentence).join(' '), violations });
}

type Issue = NonNullable<ReturnType<typeof workflowDefinition.safeParse>['error']>['issues'][number];

/**
 * A client's definition has been checked against the schema before: this only checks what a patch omits or adds beyond
 * limits.
 */
function toViolation({ path, message, ...issue }: Issue, input: unknown): Violation {
  const named = issue.code === 'custom' ? (issue.params?.['constraint'] as Constraint | undefined) : undefined;
  const isMissing = path.reduce<unknown>(memberOf, input) === undefined;
  return { field: path.join('.') || 'body', constraint: named ?? (isMissing ? 'required' : 'format'), message };
}

const memberOf = (value: unknown, key: PropertyKey): unknown =>
  (value as Record<PropertyKey, unknown> | undefined)?.[key];
