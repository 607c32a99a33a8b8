import { z } from 'zod';
import { artifactKind, artifactKinds } from '../artifacts.ts';
import { freeForm, idOf, requiredText, role, tag } from '../../fields.ts';
import { taskPriorities } from '../tasks.ts';

const yearSeconds = 31_536_000;

const key = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);

const parameterTypes = ['string', 'number', 'integer', 'boolean', 'timestamp', 'array', 'object'] as const;

const parameterType = z
  .enum(parameterTypes)
  .meta({ id: 'ParameterType', description: 'The type that the value must have.' });
const parameterFields = {
  type: parameterType,
  required: z.boolean().describe('Whether a run cannot start without the parameter.'),
  description: z.string().max(2_000).describe('What the parameter is for.'),
  enum: z
    .array(z.union([z.string().max(1_000), z.number().min(-1e15).max(1e15)]))
    .min(1)
    .max(100)
    .describe('The only values that are allowed.'),
};
const exampleParameter = {
  type: 'string',
  required: true,
  description: 'How far to update.',
  enum: ['minor', 'major'],
};
const parameter = z
  .strictObject({
    type: parameterFields.type,
    required: parameterFields.required.default(false),
    description: parameterFields.description.optional(),
    enum: parameterFields.enum.optional(),
  })
  .meta({ id: 'WorkflowParameter', description: 'A parameter of a workflow.', example: exampleParameter });
export type ParameterDefinition = z.output<typeof parameter>;

const maxParameters = 100;
const parametersOf = <P extends z.ZodType>(value: P) =>
  z
    .record(key, value)
    .refine((parameters) => Object.keys(parameters).length <= maxParameters, {
      params: { constraint: 'max_length' },
      message: `must have at most ${maxParameters} parameters`,
    })
    .describe(
      'Parameters of a run, by name. A run also accepts and keeps parameters that are not declared; conditions can read them, templates cannot.',
    );

const comparisons = ['eq', 'ne', 'in', 'exists', 'gt', 'lt'] as const;

export type StepComparison = { path: string; op: (typeof comparisons)[number]; value?: unknown };
export type StepCondition =
  StepComparison | { all: StepCondition[] } | { any: StepCondition[] } | { not: StepCondition };

const comparison = z
  .strictObject({
    path: z.string().min(1).max(500).meta({
      description:
        'The value to compare: `parameters.…`, `run.name`, `steps.<id>.status` or `steps.<id>.result.…` of an earlier step.',
      example: 'steps.test.result.passed',
    }),
    op: z.enum(comparisons).describe('How to compare. `exists` takes true, false or no value.'),
    value: z.unknown().optional().describe('The value to compare with.'),
  })
  .meta({ id: 'StepComparison', description: 'Compares a value. A missing value is equal to nothing.' });
const condition: z.ZodType<StepCondition> = z
  .lazy(() => conditionKinds)
  .meta({ id: 'StepCondition', description: 'Whether the step is done. If the condition is not met, it is skipped.' });
const conditions = z.array(condition).min(1).max(20);
const conditionKinds = z.union([
  comparison,
  z
    .strictObject({ all: conditions.describe('Conditions that must all be met.') })
    .meta({ id: 'AllConditions', description: 'All of several conditions.' }),
  z
    .strictObject({ any: conditions.describe('Conditions of which one must be met.') })
    .meta({ id: 'AnyCondition', description: 'One of several conditions.' }),
  z.strictObject({ not: condition }).meta({ id: 'NotCondition', description: 'The opposite of a condition.' }),
]);

const templated = (maxLength: number) => z.string().min(1).max(maxLength);

const stepAcceptance = z
  .strictObject({
    artifacts: z
      .array(artifactKind)
      .max(artifactKinds.length)
      .optional()
      .describe('The step needs at least one artifact of each of these kinds.'),
    result_schema: freeForm(16 * 1024)
      .optional()
      .describe('JSON Schema (2020-12) that the result must match. Later steps can read the result.'),
  })
  .meta({ id: 'StepContract', description: 'What an agent must deliver before the step counts as completed.' });

const taskTemplate = z
  .strictObject({
    title: requiredText(500).describe('Title of the task.'),
    description: requiredText(65_536).describe('Description of the task.'),
    priority: templated(500)
      .optional()
      .describe(
        `Priority of the task: ${taskPriorities.join(', ')}. Any other text is none: then it is that of the project’s defaults, or medium.`,
      ),
    due_date: templated(500).optional().describe('Due date of the task: a timestamp. Any other text becomes none.'),
    tags: z.array(tag).max(50).default([]).describe('Labels of the task. None: those of the project’s defaults.'),
    metadata: freeForm().default({}).describe('Metadata of the task.'),
    project: templated(500)
      .optional()
      .describe(
        'Project of the task: its ID. Left out: that of the workflow. Any other text, or an archived project, is none: then the task has the project that its `metadata.repository` means.',
      ),
    contract: stepAcceptance.optional(),
  })
  .meta({
    id: 'TaskTemplate',
    description:
      'The task that each attempt of the step creates. Texts can contain `{{parameters.x}}` of declared parameters, `{{run.name}}` and `{{steps.id.result.y}}` of earlier steps. `feature_description`, `priority`, `due_date`, `repository` and `ticket_id` are declared in every workflow.',
  });

const exampleStep = {
  id: 'update',
  name: 'Update the dependency',
  role: 'rd',
  needs: [],
  timeout: 86_400,
  retry: { max_attempts: 3, backoff: 60 },
  approval: { role: 'qa' },
  duration: 7_200,
  task: {
    title: 'Update the dependency to the next {{parameters.level}} version',
    description: 'Update the dependency and make the tests pass.',
    priority: 'high',
    due_date: '{{parameters.due_date}}',
    tags: ['dependencies'],
    metadata: { repository: 'web' },
    contract: { artifacts: ['pull_request'], result_schema: { type: 'object', required: ['version'] } },
  },
};

const retry = z
  .strictObject({
    max_attempts: z.int().min(1).max(10).default(1).describe('Maximum number of attempts.'),
    backoff: z
      .int()
      .min(0)
      .max(86_400)
      .default(0)
      .describe('Number of seconds before the second attempt. Doubled for each further one.'),
  })
  .meta({
    id: 'StepRetry',
    description: 'How often the step is tried. Default: one attempt, or three if the step has an approval.',
  });
const approval = z
  .strictObject({
    role: role.optional(),
    agent_id: idOf('The agent that decides.').optional(),
    person: z.literal(true).optional().describe('A person decides.'),
  })
  .meta({
    id: 'StepApproval',
    description: 'Who decides whether the work is good: a role, one agent, or a person. Name exactly one.',
  });

const stepDefinition = z
  .strictObject({
    id: key.describe('Name of the step within the workflow.'),
    name: requiredText(200).describe('Name of the step, for people.'),
    role,
    needs: z
      .array(key)
      .max(100)
      .default([])
      .describe('The steps that must be completed or skipped before this one starts.'),
    condition: condition.optional(),
    timeout: z.int().min(1).max(yearSeconds).optional().describe('Maximum number of seconds for an attempt.'),
    retry: retry.optional(),
    approval: approval.optional(),
    duration: z
      .int()
      .min(1)
      .max(yearSeconds)
      .default(3_600)
      .describe('Expected number of seconds. Used until there are past runs to measure.'),
    task: taskTemplate,
  })
  .meta({ id: 'StepDefinition', description: 'A step of a workflow.', example: exampleStep });

export const exampleDefinition = {
  name: 'Dependency update',
  description: 'Updates one dependency and tests the result.',
  estimated_duration: '1-2 days',
  parameters: { level: exampleParameter },
  steps: [exampleStep],
};

const fields = {
  name: requiredText(200).describe('Its name.'),
  description: requiredText(65_536).describe('What it is for.'),
  estimated_duration: requiredText(100).describe('How long a run takes, as text: `2-5 days`.'),
  project: templated(500).describe(
    'Project of the tasks of all steps that name none: its ID, or a text with placeholders such as `{{parameters.project}}`.',
  ),
  steps: z
    .array(stepDefinition)
    .min(1)
    .max(100)
    .describe('The steps. Exactly one has no `needs`: the run starts with it. `needs` must not form a cycle.'),
};

/** A workflow as data: the body of POST /v1/workflows, and the contents of the shipped files. */
export const workflowDefinition = z
  .strictObject({
    name: fields.name,
    description: fields.description,
    estimated_duration: fields.estimated_duration,
    parameters: parametersOf(parameter).default({}),
    project: fields.project.optional(),
    steps: fields.steps,
  })
  .meta({ id: 'WorkflowDefinition', description: 'The steps and parameters of a workflow.' });
export const createWorkflowBody = z.strictObject(workflowDefinition.shape).meta({
  id: 'CreateWorkflow',
  description: 'A new workflow.',
  example: exampleDefinition,
});
export type WorkflowDefinitionBody = z.output<typeof workflowDefinition>;

type Step = WorkflowDefinitionBody['steps'][number];
/** A stored step, with the defaults of its retries filled in. */
export type StepDefinition = Omit<Step, 'retry'> & { retry: NonNullable<Step['retry']> };
export type WorkflowDefinition = Omit<WorkflowDefinitionBody, 'steps'> & { steps: StepDefinition[] };

const parameterPatch = z
  .strictObject({
    type: parameterFields.type.optional(),
    required: parameterFields.required.nullable().optional(),
    description: parameterFields.description.nullable().optional(),
    enum: parameterFields.enum.nullable().optional(),
  })
  .meta({
    id: 'WorkflowParameterPatch',
    description: 'A parameter of a workflow as a merge patch.',
    example: exampleParameter,
  });

/** A JSON merge patch; `steps` are replaced as a whole. */
export const changeWorkflowBody = z
  .strictObject({
    name: fields.name.optional(),
    description: fields.description.optional(),
    estimated_duration: fields.estimated_duration.optional(),
    parameters: parametersOf(parameterPatch.nullable()).nullable().optional(),
    project: fields.project.nullable().optional(),
    // The resource shows its number of steps under this name, and may be sent back as it was read.
    steps: z
      .union([fields.steps, z.int().min(1).max(100)])
      .optional()
      .meta({
        description: 'All steps. They replace the present ones. The number of steps, as you read it, is ignored.',
        showsFirst: true,
      }),
  })
  .meta({
    id: 'ChangeWorkflow',
    description: 'A JSON merge patch of a workflow. Fields that you leave out stay as they are.',
    example: { ...exampleDefinition, parameters: { key: exampleParameter } },
  });
export type ChangeWorkflowBody = z.output<typeof changeWorkflowBody>;
