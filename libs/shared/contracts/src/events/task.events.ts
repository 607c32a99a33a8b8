import { z } from 'zod';
import { exampleId, exampleTime } from '../fields.ts';
import { defineEvents, eventData, id, name, text, timestamp, word } from './event.ts';

const taskRef = { task_id: id('ID of the task.'), title: text('Title of the task.') };
const exampleRef = { task_id: exampleId('tsk'), title: 'Limit failed logins' };
const agentId = id('The agent that works on the task.');
const moment = z.iso.datetime({ offset: true }).max(64);

/** The state of a task as analytics counts it. `version` orders the facts of one task. */
const taskFacts = z.object({
  version: z.int(),
  role: z.string().nullable(),
  status: z.string(),
  created_at: moment,
  due_date: moment.nullable(),
  first_claimed_at: moment.nullable(),
  completed_at: moment.nullable(),
  code_quality: z.int().nullable(),
  requirements_clarity: z.int().nullable(),
  /** The agent that completed it. */
  agent: z.string().nullable().optional(),
  /** How often work that was handed in was opened again. */
  sent_back: z.int().optional(),
  /** When it was opened again last; not set: never. */
  ready_at: moment.optional(),
  run_id: z.string().nullable().optional(),
  /** The id of the task in its source system. */
  ticket_id: z.string().optional(),
  project_id: z.string().optional(),
});
export type TaskFacts = z.infer<typeof taskFacts>;

/** A change of state, in `from` and `to`; `changed` names the fields that differ from before. */
const changeData = eventData(
  'The status or other fields of a task changed.',
  {
    ...taskRef,
    from: word('The status before.'),
    to: word('The status after. The same as before if only other fields changed.'),
    changed: z.array(word('Name of a field.')).max(100).describe('Names of the changed fields.'),
  },
  { ...exampleRef, from: 'created', to: 'created', changed: ['priority'] },
);

const createdData = eventData(
  'A task was created.',
  {
    ...taskRef,
    id: id('ID of the task, again.'),
    description: text('What is to be done.'),
    status: word('Status of the task.'),
    priority: word('Priority of the task.'),
    due_date: timestamp('When the task should be completed.').nullable(),
    assigned_role: word('The role whose agents can claim the task.').nullable(),
    assigned_agent: id('The agent that is planned for the task.').nullable(),
    created_at: timestamp('When the task was created.'),
    tags: z.array(text('A label.')).max(1_000).describe('Labels of the task.'),
    metadata: z.record(z.string(), z.unknown()).describe('Metadata of the task.'),
    project: id('The project that the task belongs to. null: none.').nullable().optional(),
  },
  {
    ...exampleRef,
    id: exampleRef.task_id,
    description: 'Allow five failed logins a minute for each address, then respond with 429.',
    status: 'created',
    priority: 'high',
    due_date: null,
    assigned_role: 'rd',
    assigned_agent: null,
    created_at: exampleTime,
    tags: ['security'],
    metadata: { ticket_id: 'ENG-1' },
    project: exampleId('prj'),
  },
);

const question = {
  assigned_agent: agentId,
  input_id: id('ID of the input.'),
  kind: word('question, choice, approval, form or permission.'),
  prompt: text('What the agent asked.'),
  options: z.array(text('An option.')).max(100).describe('The options of a choice.'),
  form: z.record(z.string(), z.unknown()).describe('The fields of a form. null: it is none.').nullable().optional(),
  permission: z
    .record(z.string(), z.unknown())
    .describe(
      'What a permission is wanted for: `tool`, `title` and `command`, which is null where none is run. The input also has changes of files. null: it is none.',
    )
    .nullable()
    .optional(),
  expires_at: timestamp('When the input expires without an answer.'),
};
const exampleQuestion = {
  assigned_agent: exampleId('agt'),
  input_id: exampleId('inp'),
  kind: 'choice',
  prompt: 'How many logins a minute?',
  options: ['5', '10'],
  form: null,
  permission: null,
  expires_at: '2026-11-23T10:00:00Z',
};

const blockedData = eventData(
  'A task waits for a person: the agent asked something and needs the answer to continue.',
  { ...taskRef, ...question },
  { ...exampleRef, ...exampleQuestion },
);

const askedData = eventData(
  'An agent asked a person something, and waits for the answer or continues meanwhile.',
  {
    ...taskRef,
    ...question,
    blocking: z.boolean().describe('Whether the agent waits for the answer. If so, `task.blocked` follows.'),
    ticket_id: text('The `ticket_id` in the metadata of the task. null: none.').nullable(),
  },
  { ...exampleRef, ...exampleQuestion, blocking: true, ticket_id: 'ENG-1' },
);

// Without the answer: it can be long or confidential, and the input has it.
const answeredData = eventData(
  'A person answered what an agent asked, or it expired. Read the input to get the answer.',
  {
    ...taskRef,
    input_id: id('ID of the input.'),
    status: word('answered or expired.'),
    answered_by: id('Who answered: a person, a credential or an integration. null: it expired.').nullable(),
  },
  { ...exampleRef, input_id: exampleId('inp'), status: 'answered', answered_by: exampleId('usr') },
);

// The result of its agent; null if there is none, or if it is larger than maxOutcomeBytes: then outcome_truncated is
// true.
const completedData = eventData(
  'A task was completed.',
  {
    ...taskRef,
    completed_by: id('Who completed it: an agent, a person or a credential.'),
    completion_time: timestamp('When it was completed.'),
    summary: text('What the agent reported.').nullable().optional(),
    result: z.record(z.string(), z.unknown()).nullable().optional().describe('What the agent returned.'),
    outcome_truncated: z
      .boolean()
      .optional()
      .describe('Whether summary and result are left out because they are too large. Read the task to get them.'),
  },
  {
    ...exampleRef,
    completed_by: exampleId('agt'),
    completion_time: exampleTime,
    summary: 'Five failed logins a minute for each address, then 429.',
    result: { limit_per_minute: 5 },
  },
);

export const taskEvents = defineEvents({
  'task.created': { visibility: 'public', data: createdData, facts: taskFacts },
  'task.assigned': {
    visibility: 'public',
    data: eventData(
      'A task was planned for an agent. The agent still has to claim it.',
      {
        ...taskRef,
        assigned_agent: id('The agent that is planned for the task.'),
        assigned_role: word('The role whose agents can claim the task.').nullable(),
        reason: text('Why this agent was chosen.'),
      },
      { ...exampleRef, assigned_agent: exampleId('agt'), assigned_role: 'rd', reason: 'fewest tasks' },
    ),
    facts: null,
  },
  'task.started': {
    visibility: 'public',
    data: eventData(
      'An agent claimed a task.',
      { ...taskRef, assigned_agent: agentId },
      { ...exampleRef, assigned_agent: exampleId('agt') },
    ),
    facts: taskFacts,
  },
  'task.updated': { visibility: 'public', data: changeData, facts: taskFacts },
  'task.blocked': { visibility: 'public', data: blockedData, facts: taskFacts },
  'task.asked': { visibility: 'public', data: askedData, facts: null },
  'task.answered': { visibility: 'public', data: answeredData, facts: null },
  /** An input was cancelled, because the lease of its agent has ended. Written by the statement that ends leases. */
  'input.cancelled': {
    visibility: 'internal',
    data: z.object({ task_id: z.string(), input_id: z.string() }),
    facts: null,
  },
  'task.completed': { visibility: 'public', data: completedData, facts: taskFacts },
  'task.failed': {
    visibility: 'public',
    data: eventData(
      'A task failed and will not be tried again.',
      { ...taskRef, reason: text('Why it failed.') },
      { ...exampleRef, reason: 'The test database does not start.' },
    ),
    facts: taskFacts,
  },
  'task.cancelled': {
    visibility: 'public',
    data: eventData(
      'A task was cancelled.',
      { ...taskRef, cancelled_by: id('Who cancelled it.') },
      { ...exampleRef, cancelled_by: exampleId('usr') },
    ),
    facts: taskFacts,
  },
  'task.commented': {
    visibility: 'public',
    data: eventData(
      'Someone commented on a task.',
      { ...taskRef, content: text('The comment.'), author: name('Who commented.') },
      { ...exampleRef, content: 'Half way.', author: exampleId('usr') },
    ),
    facts: null,
  },
});
