import type { StepDefinition, WorkflowDefinition, WorkflowDefinitionBody } from '@eas/contracts';
import { AppError, type Violation } from '@eas/core';
import { assertAcceptance } from '@eas/tasks';
import { hasType, knownParameters } from '../language/assert-parameters.ts';
import { conditionViolations, templateViolations } from './check-paths.ts';
import { ancestorsOf, circleIn } from './step-graph.ts';

type Step = WorkflowDefinitionBody['steps'][number];

/** Throws invalid_input with the path of each problem (`steps.2.needs.0`) for one that could not be run. */
export function checkDefinition(body: WorkflowDefinitionBody): WorkflowDefinition {
  const violations = [...parameterViolations(body), ...projectViolations(body), ...stepsViolations(body)];
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
  return { ...body, steps: body.steps.map(settled) };
}

const onceOnly = { max_attempts: 1, backoff: 0 };
/** Rejected work is meant to be done again. */
const withApproval = { max_attempts: 3, backoff: 0 };

function settled({ retry, needs, ...step }: Step): StepDefinition {
  return { ...step, needs: [...new Set(needs)], retry: retry ?? (step.approval ? withApproval : onceOnly) };
}

function parameterViolations({ parameters }: WorkflowDefinitionBody): Violation[] {
  return Object.entries(parameters).flatMap(([name, { type, enum: choices = [] }]): Violation[] => {
    const field = `parameters.${name}`;
    const known = knownParameters[name]?.type;
    if (known && known !== type)
      return [
        { field: `${field}.type`, constraint: 'enum', message: `must be ${known}, as for ${name} in every workflow` },
      ];
    const misfit = choices.findIndex((choice) => !hasType(choice, type));
    return misfit < 0
      ? []
      : [{ field: `${field}.enum.${misfit}`, constraint: 'type', message: `must be of the type ${type}` }];
  });
}

/** It is filled in for each step, and so cannot read results of steps. */
function projectViolations({ project, parameters }: WorkflowDefinitionBody): Violation[] {
  return templateViolations(project, 'project', { before: new Set(), parameters: readableParameters(parameters) });
}

const readableParameters = (declared: WorkflowDefinitionBody['parameters']): ReadonlySet<string> =>
  new Set([...Object.keys(declared), ...Object.keys(knownParameters)]);

/** The maximum that is reported; later steps are not checked. */
const enoughViolations = 100;

function stepsViolations({ steps, parameters: declared }: WorkflowDefinitionBody): Violation[] {
  const parameters = readableParameters(declared);
  const ancestors = ancestorsOf(steps);
  const none: ReadonlySet<string> = new Set();
  const own: Violation[] = [];
  for (const [index, step] of steps.entries()) {
    if (own.length >= enoughViolations) break;
    const field = `steps.${index}`;
    const before = ancestors.get(step.id) ?? none;
    own.push(
      ...referenceViolations(steps, index),
      ...(step.condition ? conditionViolations(step.condition, `${field}.condition`, before) : []),
      ...approvalViolations(step, `${field}.approval`),
      ...templateViolations(step.task, `${field}.task`, { before, parameters }).slice(0, enoughViolations),
    );
  }
  return [...own, ...rootViolations(steps), ...resultSchemaViolations(steps)];
}

/** Whether a step's id is unique, and its needs exist. */
function referenceViolations(steps: readonly Step[], index: number): Violation[] {
  const step = steps[index] as Step;
  const first = steps.findIndex(({ id }) => id === step.id);
  const ids = new Set(steps.map(({ id }) => id));
  const again: Violation = {
    field: `steps.${index}.id`,
    constraint: 'exists',
    message: `is already the id of steps.${first}`,
  };
  const dangling = step.needs.flatMap((need, at): Violation[] =>
    ids.has(need)
      ? []
      : [{ field: `steps.${index}.needs.${at}`, constraint: 'exists', message: `refers to an unknown step: ${need}` }],
  );
  return [...(first < index ? [again] : []), ...dangling];
}

function rootViolations(steps: readonly Step[]): Violation[] {
  const circle = circleIn(steps);
  if (circle) {
    const field = `steps.${circle.step}.needs.${circle.need}`;
    return [{ field, constraint: 'format', message: 'makes the step wait for itself; needs must not form a cycle' }];
  }
  const roots = [...steps.entries()].filter(([, { needs }]) => needs.length === 0);
  const [root, ...others] = roots;
  const more = others.map(([index]): Violation => {
    const message = `must name another step, because steps.${root?.[0]} is already the first one`;
    return { field: `steps.${index}.needs`, constraint: 'required', message };
  });
  if (!root?.[1].condition) return more;
  const message = 'is not allowed on the first step';
  return [{ field: `steps.${root[0]}.condition`, constraint: 'unknown_field', message }, ...more];
}

function approvalViolations({ approval }: Step, field: string): Violation[] {
  const named = Object.values(approval ?? {}).filter((one) => one !== undefined);
  if (!approval || named.length === 1) return [];
  return [{ field, constraint: 'required', message: 'must have exactly one of role, agent_id, person' }];
}

const maxSchemaBytes = 64 * 1024;

/** Compiling schemas takes time, so their total is bounded, and the check stops at the first bad one. */
function resultSchemaViolations(steps: readonly Step[]): Violation[] {
  const schemas = steps.map(({ task }) => task.contract?.result_schema);
  if (Buffer.byteLength(JSON.stringify(schemas)) > maxSchemaBytes) {
    const message = `must have result schemas of at most ${maxSchemaBytes} bytes in total when serialised`;
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
    assertAcceptance({ result_schema: schema });
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.violations.map((violation) => ({ ...violation, field: `${field}.${violation.field}` }));
  }
}
