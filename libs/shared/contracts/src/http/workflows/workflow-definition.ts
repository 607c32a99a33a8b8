import { z } from 'zod';
import { artifactKinds } from '../artifacts.ts';
import { freeForm, idOutput, requiredText, role, tag } from '../fields.ts';
import { taskPriorities } from '../tasks.ts';

const yearSeconds = 31_536_000;

/** Names a step in its definition, or a parameter. */
const key = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);

export const parameterTypes = ['string', 'number', 'integer', 'boolean', 'timestamp', 'array', 'object'] as const;

const parameterFields = {
  type: z.enum(parameterTypes).describe('What the value has to be.'),
  required: z.boolean().describe('Whether a run cannot start without it.'),
  description: z.string().max(2_000),
  enum: z
    .array(z.union([z.string().max(1_000), z.number().min(-1e15).max(1e15)]))
    .min(1)
    .max(100)
    .meta({ description: 'The only values that it may have.' }),
};
const exampleParameter = { type: 'string', required: true, description: 'How far it goes.', enum: ['minor', 'major'] };
const parameter = z
  .strictObject({
    type: parameterFields.type,
    required: parameterFields.required.default(false),
    description: parameterFields.description.optional(),
    enum: parameterFields.enum.optional(),
  })
  .meta({ example: exampleParameter });
export type ParameterDefinition = z.output<typeof parameter>;

const maxParameters = 100;
const parametersOf = <P extends z.ZodType>(value: P) =>
  z
    .record(key, value)
    .refine((parameters) => Object.keys(parameters).length <= maxParameters, {
      params: { constraint: 'max_length' },
      message: `must be at most ${maxParameters} parameters`,
    })
    .meta({ description: 'What a run may be started with, by name; other parameters are taken and kept too.' });

export const comparisons = ['eq', 'ne', 'in', 'exists', 'gt', 'lt'] as const;

export type StepComparison = { path: string; op: (typeof comparisons)[number]; value?: unknown };
/** Decides whether a step is done or skipped. */
export type StepCondition =
  StepComparison | { all: StepCondition[] } | { any: StepCondition[] } | { not: StepCondition };

const comparison = z.strictObject({
  path: z.string().min(1).max(500).meta({
    description: '`parameters.…`, `run.name`, `steps.<id>.status` or `steps.<id>.result.…` of a step before.',
    example: 'steps.test.result.passed',
  }),
  op: z.enum(comparisons).describe('How the value at the path is compared; exists takes true or false, or no value.'),
  value: z.unknown().optional(),
});
const condition: z.ZodType<StepCondition> = z
  .lazy(() =>
    z.union([
      comparison,
      z.strictObject({ all: z.array(condition).min(1).max(20) }),
      z.strictObject({ any: z.array(condition).min(1).max(20) }),
      z.strictObject({ not: condition }),
    ]),
  )
  .meta({
    id: 'StepCondition',
    description: 'Whether the step is done; else it is skipped. A missing value is equal to nothing.',
  });

const templated = (maxLength: number) => z.string().min(1).max(maxLength);

const taskTemplate = z.strictObject({
  title: requiredText(500).meta({ example: 'Fix {{parameters.ticket_id}}' }),
  description: requiredText(65_536),
  priority: templated(500)
    .optional()
    .meta({ description: `One of ${taskPriorities.join(', ')} once it is filled in; else medium.` }),
  due_date: templated(500).optional().meta({ description: 'A timestamp once it is filled in; else none.' }),
  tags: z.array(tag).max(50).default([]),
  metadata: freeForm().default({}),
  contract: z
    .strictObject({
      artifacts: z.array(z.enum(artifactKinds).describe('A kind of artifact.')).max(artifactKinds.length).optional(),
      result_schema: freeForm(16 * 1024)
        .optional()
        .meta({ description: 'JSON Schema (2020-12) that the result fits; later steps read it.' }),
    })
    .optional()
    .meta({ description: 'What an agent has to bring before the step counts as done.' }),
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
    title: 'Update {{parameters.dependency}}',
    description: 'Bring it up to date and make the tests pass.',
    priority: '{{parameters.priority}}',
    due_date: '{{parameters.due_date}}',
    tags: ['dependencies'],
    metadata: { repository: '{{parameters.repository}}' },
    contract: { artifacts: ['pull_request'], result_schema: { type: 'object', required: ['version'] } },
  },
};

const stepDefinition = z
  .strictObject({
    id: key,
    name: requiredText(200),
    role,
    needs: z.array(key).max(100).default([]).meta({ description: 'Steps that are done or skipped before.' }),
    condition: condition.optional(),
    timeout: z.int().min(1).max(yearSeconds).optional().meta({ description: 'Seconds that an attempt may take.' }),
    retry: z
      .strictObject({
        max_attempts: z.int().min(1).max(10).default(1),
        backoff: z
          .int()
          .min(0)
          .max(86_400)
          .default(0)
          .meta({ description: 'Seconds before the second attempt; doubled for each further one.' }),
      })
      .optional()
      .meta({ description: 'Without it: one attempt, or three at once where there is an approval.' }),
    approval: z
      .strictObject({
        role: role.optional(),
        agent_id: idOutput.optional(),
        person: z.literal(true).optional().describe('A person decides.'),
      })
      .optional()
      .meta({ description: 'Who decides whether the work is good: a role, one agent, or a person; one of them.' }),
    duration: z
      .int()
      .min(1)
      .max(yearSeconds)
      .default(3_600)
      .meta({ description: 'Seconds that it is expected to take until past runs tell.' }),
    task: taskTemplate.meta({
      description:
        'The task of an attempt. Texts may hold `{{parameters.x}}`, `{{steps.id.result.y}}` of steps before, `{{run.name}}`.',
    }),
  })
  .meta({ example: exampleStep });

const fields = {
  name: requiredText(200).meta({ example: 'Dependency update' }),
  description: requiredText(65_536).meta({ example: 'Brings one dependency up to date and tries it out.' }),
  estimated_duration: requiredText(100).meta({ example: '2-5 days' }),
  steps: z
    .array(stepDefinition)
    .min(1)
    .max(100)
    .meta({ description: 'One begins: it needs no other. The rest form no circle.' }),
};

/** A workflow as data: what POST /v1/workflows takes, and what the shipped files hold. */
export const workflowDefinition = z.strictObject({
  name: fields.name,
  description: fields.description,
  estimated_duration: fields.estimated_duration,
  parameters: parametersOf(parameter).default({}),
  steps: fields.steps,
});
export type WorkflowDefinitionBody = z.output<typeof workflowDefinition>;

type Step = WorkflowDefinitionBody['steps'][number];
/** A step as it is kept: what it leaves open about retries is settled. */
export type StepDefinition = Omit<Step, 'retry'> & { retry: NonNullable<Step['retry']> };
/** A definition as it is kept and run. */
export type WorkflowDefinition = Omit<WorkflowDefinitionBody, 'steps'> & { steps: StepDefinition[] };

const parameterPatch = z
  .strictObject({
    type: parameterFields.type.optional(),
    required: parameterFields.required.nullable().optional(),
    description: parameterFields.description.nullable().optional(),
    enum: parameterFields.enum.nullable().optional(),
  })
  .meta({ example: exampleParameter });

/** The same as a JSON merge patch; `steps` are replaced as a whole. */
export const changeWorkflowBody = z
  .strictObject({
    name: fields.name.optional(),
    description: fields.description.optional(),
    estimated_duration: fields.estimated_duration.optional(),
    parameters: parametersOf(parameterPatch.nullable()).nullable().optional(),
    // The resource shows its number of steps under this name, and may be sent back as it was read.
    steps: z
      .union([fields.steps, z.int().min(1).max(100).describe('The number of steps as it is read; ignored.')])
      .optional(),
  })
  .meta({
    example: {
      name: 'Dependency update',
      description: 'Brings one dependency up to date and tries it out.',
      estimated_duration: '1-2 days',
      parameters: { key: exampleParameter },
      steps: [exampleStep],
    },
  });
export type ChangeWorkflowBody = z.output<typeof changeWorkflowBody>;
