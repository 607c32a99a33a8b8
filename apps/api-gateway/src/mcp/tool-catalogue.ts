export type ToolEntry = {
  name: string;
  /** Method and path, as the API's contract has them. */
  route: string;
  title: string;
  description: string;
  isReading?: true;
  /** Of arguments that a model leaves out, in place of those of the route. */
  defaults?: Readonly<Record<string, number>>;
};

/** The instructions of the server for a model: paragraphs, each for callers that have its tool. */
const guide: readonly { tool: string; text: string }[] = [
  {
    tool: 'claim_task',
    text:
      'To work on engineering tasks, call claim_task. The result contains one task, a lease_id and a fencing_token, ' +
      'which every further call for the task requires. The lease expires at expires_at, 15 minutes after the last call ' +
      'unless you claim with other lease_seconds. Any call under the lease renews it; check_inbox renews it without any ' +
      'other effect. If a call fails with lease_lost, do what its message says. After ask_person, call wait_for_answer ' +
      'until the answer is there. ' +
      'Report progress while you work (report_progress), attach your results (attach_artifact), save data that a later ' +
      'attempt needs (checkpoint), and finish with exactly one of complete_task, fail_task, handoff_task or ' +
      'release_task. If context.contract is not null, it says what complete_task requires: kinds of artifacts and the ' +
      'JSON Schema of result. If context.project is not null, it names the git repositories of the task and the commands ' +
      'that prepare and check the work.',
  },
  {
    tool: 'list_my_leases',
    text:
      'If you have lost the lease_id or fencing_token of a task that you hold, call list_my_leases and then resume_task, ' +
      'or release_task to give the task back.',
  },
  {
    tool: 'create_task',
    text:
      'To have work done, create a task for a role or an agent with create_task. get_task returns its status, what it ' +
      'waits for, and the summary, result and artifacts after completion.',
  },
  {
    tool: 'start_workflow',
    text:
      'To have work done in several steps, start a workflow with start_workflow. Each step becomes a task when its turn ' +
      'comes.',
  },
];

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
      'Creates a task for a role (assigned_role) or for one agent (assigned_agent, an id from list_agents). Without ' +
      'either, any agent can claim the task. contract says what the completion requires.',
  },
  {
    name: 'list_tasks',
    route: 'GET /v1/tasks',
    title: 'List tasks',
    description: 'Returns a page of tasks, newest first, that match all given filters.',
    isReading: true,
  },
  {
    name: 'get_task',
    route: 'GET /v1/tasks/{task_id}',
    title: 'Read a task',
    description:
      'Returns one task with its description, status, progress, newest activity and what it waits for. A completed task ' +
      'also has its summary, result, scores and artifacts.',
    isReading: true,
  },
  {
    name: 'list_timeline',
    route: 'GET /v1/tasks/{task_id}/timeline',
    title: 'Read the timeline of a task',
    description: 'Returns a page of everything that happened to a task. sort=seq starts with the oldest entry.',
    isReading: true,
  },
  {
    name: 'list_artifacts',
    route: 'GET /v1/tasks/{task_id}/artifacts',
    title: 'List the artifacts of a task',
    description: 'Returns a page of the artifacts of a task, with their data. get_task includes only the newest.',
    isReading: true,
  },
  {
    name: 'comment',
    route: 'POST /v1/tasks/{task_id}/comments',
    title: 'Comment on a task',
    description:
      'Adds a comment for people to the activity of a task. The agent that works on the task is not notified.',
  },
  {
    name: 'list_agents',
    route: 'GET /v1/agents',
    title: 'List agents',
    description: 'Returns a page of agents with their ids, roles, capabilities, and whether they are free and online.',
    isReading: true,
  },
  {
    name: 'list_workflows',
    route: 'GET /v1/workflows',
    title: 'List workflows',
    description:
      'Returns a page of the workflows that can be started. As many as limit (default 20): ask again with offset for more.',
    isReading: true,
  },
  {
    name: 'get_workflow',
    route: 'GET /v1/workflows/{workflow_id}',
    title: 'Read a workflow',
    description: 'Returns one workflow with its steps and the parameters for start_workflow.',
    isReading: true,
  },
  {
    name: 'start_workflow',
    route: 'POST /v1/workflows/{workflow_id}/start',
    title: 'Start a workflow',
    description:
      'Starts a run of a workflow. Its steps become tasks for agents of their roles. Get the ids from list_workflows ' +
      'and the parameters from get_workflow. Returns the run, which get_run reads again; list_tasks finds its tasks by ' +
      'workflow_run_id.',
  },
  {
    name: 'get_run',
    route: 'GET /v1/runs/{run_id}',
    title: 'Read a run',
    description:
      'Returns a run of a workflow with the status, task and result of each step. run_id is the workflow_run_id ' +
      'returned by start_workflow.',
    isReading: true,
  },
  {
    name: 'claim_task',
    route: 'POST /v1/agents/{agent_id}/claims',
    title: 'Claim a task',
    description:
      'Claims the next task for an agent, waiting up to wait_seconds for one. Returns task, lease {lease_id, ' +
      'fencing_token, expires_at}, context (data of earlier attempts, answers from people) and directives, or nothing ' +
      'if no task is available.',
    defaults: { lease_seconds: 900 },
  },
  {
    name: 'list_my_leases',
    route: 'GET /v1/agents/me/leases',
    title: 'List my leases',
    description:
      'Returns the tasks that the agent of the key holds, each with its lease_id and fencing_token. Call it when you ' +
      'have lost them, or when claim_task fails with limit.',
    isReading: true,
  },
  {
    name: 'resume_task',
    route: 'POST /v1/leases/{lease_id}/resume',
    title: 'Resume a task',
    description:
      'Returns a task that the agent already holds, with everything that claim_task returns and a new fencing_token. ' +
      'The old token is then invalid. Get lease_id and fencing_token from list_my_leases.',
  },
  {
    name: 'report_progress',
    route: 'POST /v1/leases/{lease_id}/progress',
    title: 'Report progress',
    description:
      'Reports the progress of the task: percent, remaining time, milestones, and a comment for people. Renews the ' +
      'lease.',
  },
  {
    name: 'ask_person',
    route: 'POST /v1/leases/{lease_id}/inputs',
    title: 'Ask a person',
    description:
      'Asks a person a question, a choice between options, a form with several fields (kind form), or for an approval. ' +
      'A blocking question parks the lease until it is answered. The answer arrives as a directive: call wait_for_answer.',
  },
  {
    name: 'wait_for_answer',
    route: 'POST /v1/leases/{lease_id}/acknowledge',
    title: 'Wait for an answer',
    description:
      'Waits up to wait_seconds for the next directive, such as the answer of a person, and returns the pending ones. ' +
      'Renews the lease. An empty list means that nothing has come yet: call it again.',
    defaults: { wait_seconds: 50 },
  },
  {
    name: 'check_inbox',
    route: 'POST /v1/leases/{lease_id}/acknowledge',
    title: 'Check the inbox',
    description:
      'Renews the lease and returns the pending directives: answers, messages, cancel, lease_lost. They are returned ' +
      'again until acknowledged in directive_ids.',
  },
  {
    name: 'checkpoint',
    route: 'POST /v1/leases/{lease_id}/checkpoint',
    title: 'Save a checkpoint',
    description:
      'Saves data (an object) for a later attempt, which gets it as context.checkpoint of its claim. Replaces the ' +
      'previous checkpoint.',
  },
  {
    name: 'attach_artifact',
    route: 'POST /v1/leases/{lease_id}/artifacts',
    title: 'Attach an artifact',
    description:
      'Attaches a result of the work to the task: a pull request, commit, branch, file, test report or link.',
  },
  {
    name: 'complete_task',
    route: 'POST /v1/leases/{lease_id}/complete',
    title: 'Complete the task',
    description: "Completes the task with a summary, a result and scores. Fails if the task's contract is not met.",
  },
  {
    name: 'fail_task',
    route: 'POST /v1/leases/{lease_id}/fail',
    title: 'Fail the task',
    description:
      'Reports that the task cannot be done, and why. After a retryable failure the task can be attempted again.',
  },
  {
    name: 'handoff_task',
    route: 'POST /v1/leases/{lease_id}/handoff',
    title: 'Hand the task over',
    description: 'Hands the task over to another role or agent, with a summary of the work so far.',
  },
  {
    name: 'release_task',
    route: 'POST /v1/leases/{lease_id}/release',
    title: 'Give the task back',
    description: 'Returns the task unfinished. This does not count as a failure, and another agent can claim the task.',
  },
];
