import type { StepDefinition, WorkflowDefinition, WorkflowDefinitionBody } from '@eas/contracts';
import { AppError, type Violation } from '@eas/core';
import { assertContract } from '@eas/tasks';
import { hasType, knownParameters } from '../language/assert-parameters.ts';
import { conditionViolations, templateViolations } from './check-paths.ts';
import { ancestorsOf, circleIn } from './step-graph.ts';

type Step = WorkflowDefinitionBody['steps'][number];

/**
 * A definition as it is kept and run. Throws invalid_input with the place of each problem (`steps.2.needs.0`) for one
 * that could not be run.
 */
export function checkDefinition(body: WorkflowDefinitionBody): WorkflowDefinition {
  const violations = [...parameterViolations(body), ...stepsViolations(body.steps)];
  const [first] = violations;
  if (first)
    throw new AppError('invalid_input', {
      message: `${first.field}: ${first.message ?? first.constraint}.`,
      violations,
    });
  return { ...body, steps: body.steps.map(settled) };
}

const onceOnly = { max_attempts: 1, backoff: 0 };
/** What is rejected is meant to be done again. */
const withApproval = { max_attempts: 3, backoff: 0 };

function settled({ retry, needs, ...step }: Step): StepDefinition {
  return { ...step, needs: [...new Set(needs)], retry: retry ?? (step.approval ? withApproval : onceOnly) };
}

function parameterViolations({ parameters }: WorkflowDefinitionBody): Violation[] {
  return Object.entries(parameters).flatMap(([name, { type, enum: choices = [] }]): Violation[] => {
    const field = `parameters.${name}`;
    const known = knownParameters[name]?.type;
    if (known && known !== type)
      return [{ field: `${field}.type`, constraint: 'enum', message: `${name} is a ${known} in every workflow` }];
    const misfit = choices.findIndex((choice) => !hasType(choice, type));
    return misfit < 0 ? [] : [{ field: `${field}.enum.${misfit}`, constraint: 'type', message: `this is no ${type}` }];
  });
}

/** So many are told of; the steps after them are not looked at. */
const enoughViolations = 100;

function stepsViolations(steps: readonly Step[]): Violation[] {
  const ancestors = ancestorsOf(steps);
  const none: ReadonlySet<string> = new Set();
  const own: Violation[] = [];
  for (const [index, step] of steps.entries()) {
    if (own.length >= enoughViolations) break;
    const field = `steps.${index}`;
    const before = ancestors.get(step.id) ?? none;
    own.push(
      ...placeViolations(steps, index),
      ...(step.condition ? conditionViolations(step.condition, `${field}.condition`, before) : []),
      ...approvalViolations(step, `${field}.approval`),
      ...templateViolations(step.task, `${field}.task`, before),
    );
  }
  return [...own, ...rootViolations(steps), ...resultSchemaViolations(steps)];
}

/** Where a step stands among the others. */
function placeViolations(steps: readonly Step[], index: number): Violation[] {
  const step = steps[index] as Step;
  const first = steps.findIndex(({ id }) => id === step.id);
  const ids = new Set(steps.map(({ id }) => id));
  const again: Violation = { field: `steps.${index}.id`, constraint: 'exists', message: `steps.${first} has this id` };
  const dangling = step.needs.flatMap((need, at): Violation[] =>
    ids.has(need)
      ? []
      : [{ field: `steps.${index}.needs.${at}`, constraint: 'exists', message: `there is no step ${need}` }],
  );
  return [...(first < index ? [again] : []), ...dangling];
}

function rootViolations(steps: readonly Step[]): Violation[] {
  const circle = circleIn(steps);
  if (circle) {
    const field = `steps.${circle.step}.needs.${circle.need}`;
    return [{ field, constraint: 'format', message: 'the step would wait for itself: needs must form no circle' }];
  }
  const roots = [...steps.entries()].filter(([, { needs }]) => needs.length === 0);
  const [root, ...others] = roots;
  const more = others.map(([index]): Violation => {
    const message = `one step begins, and that is steps.${root?.[0]}: this one has to need another`;
    return { field: `steps.${index}.needs`, constraint: 'required', message };
  });
  if (!root?.[1].condition) return more;
  const message = 'the first step is always done';
  return [{ field: `steps.${root[0]}.condition`, constraint: 'unknown_field', message }, ...more];
}

function approvalViolations({ approval }: Step, field: string): Violation[] {
  const named = Object.values(approval ?? {}).filter((one) => one !== undefined);
  if (!approval || named.length === 1) return [];
  return [{ field, constraint: 'required', message: 'an approval names a role, an agent or a person: one of them' }];
}

const maxSchemaBytes = 64 * 1024;

/** Each schema takes time to be understood, so all of them together are bounded, and the first bad one is the last. */
function resultSchemaViolations(steps: readonly Step[]): Violation[] {
  const schemas = steps.map(({ task }) => task.contract?.result_schema);
  if (Buffer.byteLength(JSON.stringify(schemas)) > maxSchemaBytes) {
    const message = `the result schemas of all steps together must be at most ${maxSchemaBytes} bytes when serialised`;
    return [{ field: 'steps', constraint: 'max_size', message }];
  }
  for (const [index, schema] of schemas.entries()) {
    const problems = schema ? problemsOf(schema, `steps.${index}.task`) : [];
    if (problems.length > 0) return problems;
  }
  return [];
}

function problemsOf(schema: Record<string, unknown>, field: string): Violation[] {
  try {
    assertContract({ result_schema: schema });
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message } = error;
    return error.violations.map((violation) => ({ message, ...violation, field: `${field}.${violation.field}` }));
  }
}
