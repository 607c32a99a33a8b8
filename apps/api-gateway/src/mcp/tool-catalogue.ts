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

/** What the server says of itself to a model. */
export const instructions = [
  'Engineering tasks for agents. To work: claim_task gives one task, a lease_id and a fencing_token; both go into every',
  'further call about it. A lease runs out at expires_at: any call under it renews it, check_inbox does nothing else.',
  'When a call answers lease_lost, stop: the task is not yours any more. Report progress as you go, attach what you made,',
  'and end with exactly one of complete_task, fail_task, handoff_task, release_task.',
].join(' ');

/** Every tool, in the order of the work. Scope, arguments, limits and errors are those of its route. */
export const toolCatalogue: readonly ToolEntry[] = [
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
    description: 'One task with its description, progress, activity and what it waits for.',
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
  {
    name: 'start_workflow',
    route: 'POST /v1/workflows/{workflow_id}/start',
    title: 'Start a workflow',
    description:
      'Starts a run of a predefined workflow: its steps become tasks for agents of their roles. workflow_id comes from ' +
      'whoever asks for the run, or from GET /v1/workflows of the REST API, which tells the parameters as well. Gives ' +
      'the run; list_tasks shows its tasks by workflow_run_id.',
  },
];
