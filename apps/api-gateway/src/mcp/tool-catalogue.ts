/** A tool: a route of the API under a name and in words that a model understands. */
export type ToolEntry = {
  name: string;
  /** Method and path, as the API's contract has them. */
  route: string;
  title: string;
  description: string;
  /** Reads and changes nothing. */
  isReading?: true;
};

/** What the server says of itself to a model: paragraphs, each for callers that have its tool. */
const guide: readonly { tool: string; text: string }[] = [
  {
    tool: 'claim_task',
    text:
      'To work on engineering tasks: claim_task gives one task, a lease_id and a fencing_token; both go into every further ' +
      'call about it. The lease ends at expires_at: any call under it renews it, check_inbox does nothing else. When a ' +
      'call answers lease_lost, stop: the task is not yours any more. Report progress as you go (report_progress), attach ' +
      'what you made (attach_artifact), save what a later attempt needs (checkpoint), and end with exactly one of ' +
      'complete_task, fail_task, handoff_task, release_task. context.contract, unless it is null, says what complete_task ' +
      'needs: kinds of artifacts, and the JSON Schema of result.',
  },
  {
    tool: 'create_task',
    text:
      'To have work done: create_task makes one task for a role or an agent, and get_task reads it: its status, what it ' +
      'waits for, and its summary, result and artifacts once it is completed.',
  },
  {
    tool: 'start_workflow',
    text: 'To have work done in several steps: start_workflow makes a task of each step as its turn comes.',
  },
];

/** The paragraphs for a caller who has the tools of these names. */
export const instructionsFor = (names: readonly string[]): string =>
  guide
    .filter(({ tool }) => names.includes(tool))
    .map(({ text }) => text)
    .join('\n\n');

/** Every tool: the work of others, then work of one's own in its order. Scope, arguments, limits and errors are those of its route. */
export const toolCatalogue: readonly ToolEntry[] = [
  {
    name: 'create_task',
    route: 'POST /v1/tasks',
    title: 'Create a task',
    description:
      'Creates a task for a role (assigned_role) or for one agent (assigned_agent, an id of list_agents); without either, ' +
      'any agent may take it. contract says what the work must bring.',
  },
  {
    name: 'list_tasks',
    route: 'GET /v1/tasks',
    title: 'List tasks',
    description: 'A page of tasks, newest first, narrowed by any of the filters.',
    isReading: true,
  },
  {
    name: 'get_task',
    route: 'GET /v1/tasks/{task_id}',
    title: 'Read a task',
    description:
      'One task with its description, status, progress, newest activity and what it waits for; once it is completed, with ' +
      'its summary, result, scores and artifacts.',
    isReading: true,
  },
  {
    name: 'list_timeline',
    route: 'GET /v1/tasks/{task_id}/timeline',
    title: 'Read the timeline of a task',
    description: 'A page of everything that happened to a task; sort=seq begins with the oldest.',
    isReading: true,
  },
  {
    name: 'list_artifacts',
    route: 'GET /v1/tasks/{task_id}/artifacts',
    title: 'List the artifacts of a task',
    description: 'A page of what agents attached to a task, with its data; get_task shows the newest.',
    isReading: true,
  },
  {
    name: 'comment',
    route: 'POST /v1/tasks/{task_id}/comments',
    title: 'Comment on a task',
    description: 'Adds a comment to the activity of a task, for people; the agent at work is not notified.',
  },
  {
    name: 'list_agents',
    route: 'GET /v1/agents',
    title: 'List agents',
    description: 'A page of agents with their ids, roles, capabilities and whether they are free and online.',
    isReading: true,
  },
  {
    name: 'list_workflows',
    route: 'GET /v1/workflows',
    title: 'List workflows',
    description: 'A page of the workflows that can be started.',
    isReading: true,
  },
  {
    name: 'get_workflow',
    route: 'GET /v1/workflows/{workflow_id}',
    title: 'Read a workflow',
    description: 'One workflow with its definition: its steps, and the parameters that start_workflow takes.',
    isReading: true,
  },
  {
    name: 'start_workflow',
    route: 'POST /v1/workflows/{workflow_id}/start',
    title: 'Start a workflow',
    description:
      'Starts a run of a workflow: its steps become tasks for agents of their roles. list_workflows has the ids, ' +
      'get_workflow the parameters. Gives the run, which get_run reads again; list_tasks shows its tasks by workflow_run_id.',
  },
  {
    name: 'get_run',
    route: 'GET /v1/runs/{run_id}',
    title: 'Read a run',
    description:
      'A run of a workflow with the state, task and result of each step. run_id is the workflow_run_id of start_workflow.',
    isReading: true,
  },
  {
    name: 'claim_task',
    route: 'POST /v1/agents/{agent_id}/claims',
    title: 'Claim a task',
    description:
      'Takes the next task for an agent, waiting up to wait_seconds for one. Gives task, lease {lease_id, fencing_token, ' +
      'expires_at}, context (what earlier attempts left, answers of persons) and directives; nothing when no task came.',
  },
  {
    name: 'report_progress',
    route: 'POST /v1/leases/{lease_id}/progress',
    title: 'Report progress',
    description:
      'Tells how far the task is: percent, remaining time, milestones, a comment for people. Renews the lease.',
  },
  {
    name: 'ask_person',
    route: 'POST /v1/leases/{lease_id}/inputs',
    title: 'Ask a person',
    description:
      'Asks a question, a choice between options, or for an approval. A blocking one parks the lease until it is answered; ' +
      'the answer comes as a directive: look for it with check_inbox.',
  },
  {
    name: 'check_inbox',
    route: 'POST /v1/leases/{lease_id}/acknowledge',
    title: 'Check the inbox',
    description:
      'Renews the lease and gives the directives that wait for you: answers, messages, cancel, lease_lost. They come again ' +
      'until their ids are given in directive_ids.',
  },
  {
    name: 'checkpoint',
    route: 'POST /v1/leases/{lease_id}/checkpoint',
    title: 'Save a checkpoint',
    description:
      'Keeps data (an object) for a later attempt, whose claim has it as context.checkpoint. Replaces the last one.',
  },
  {
    name: 'attach_artifact',
    route: 'POST /v1/leases/{lease_id}/artifacts',
    title: 'Attach an artifact',
    description: 'Keeps what was made with the task: a pull request, commit, branch, file, test report or link.',
  },
  {
    name: 'complete_task',
    route: 'POST /v1/leases/{lease_id}/complete',
    title: 'Complete the task',
    description: 'Ends the task as done, with a summary, a result and scores. Refused while its contract is not met.',
  },
  {
    name: 'fail_task',
    route: 'POST /v1/leases/{lease_id}/fail',
    title: 'Fail the task',
    description: 'Says that the task could not be done and why; a retryable failure lets another attempt have it.',
  },
  {
    name: 'handoff_task',
    route: 'POST /v1/leases/{lease_id}/handoff',
    title: 'Hand the task over',
    description: 'Gives the task to another role or to a certain agent, with a summary of what was done.',
  },
  {
    name: 'release_task',
    route: 'POST /v1/leases/{lease_id}/release',
    title: 'Give the task back',
    description: 'Gives the task back undone; it counts as no failure, and another agent may claim it.',
  },
];
