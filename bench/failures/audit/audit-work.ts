import type { Journal, Made } from '../clients/mixed-load.ts';
import type { AuditInput } from './audit-input.ts';
import type { Facts } from './facts.ts';
import { doubled, type Finding, finding } from './finding.ts';

/** The third time that the lease of a task is lost fails it. */
const maxLostLeases = 3;

/** What clients did: tasks, runs, webhooks of the platform, and what agents reported. */
export function auditWork(input: AuditInput): Finding[] {
  return [...auditTasks(input), ...auditRuns(input), auditReceipts(input), ...auditAgents(input)];
}

function missing(acknowledged: readonly Made[], found: readonly Made[]): string[] {
  const byId = new Map(found.map(({ id, name }) => [id, name]));
  return acknowledged.filter(({ id, name }) => byId.get(id) !== name).map(({ id }) => id);
}

const hasFailed = ({ status, lostLeases }: Facts['tasks'][number]) =>
  status === 'failed' && lostLeases >= maxLostLeases;

function auditTasks({ journal, facts: { tasks } }: AuditInput): Finding[] {
  const open = tasks.filter((task) => task.status !== 'completed' && !hasFailed(task));
  return [
    finding('tasks that were acknowledged exist', journal.tasks.length, missing(journal.tasks, tasks)),
    finding('no task was made twice', tasks.length, doubled(tasks.map(({ name }) => name))),
    finding(
      `tasks are completed, or failed when ${maxLostLeases} leases were lost (${tasks.filter(hasFailed).length})`,
      tasks.length,
      open.map(({ id, status }) => `${id} ${status}`),
    ),
  ];
}

function auditRuns({ journal, facts: { runs, tasks } }: AuditInput): Finding[] {
  const failed = new Set(tasks.filter(({ status }) => status === 'failed').map(({ runId }) => runId));
  const wrong = runs.filter(({ id, status }) => status !== (failed.has(id) ? 'failed' : 'completed'));
  return [
    finding('runs that were acknowledged exist', journal.runs.length, missing(journal.runs, runs)),
    finding('no run was started twice', runs.length, doubled(runs.map(({ name }) => name))),
    finding(
      'runs are completed, or failed with one of their tasks',
      runs.length,
      wrong.map(({ id, status }) => `${id} ${status}`),
    ),
  ];
}

function auditReceipts({ journal: { receipts }, facts: { links, tasks } }: AuditInput): Finding {
  const names = new Map(tasks.map(({ id, name }) => [id, name]));
  const made = new Map(links.map(({ externalId, taskId }) => [externalId, names.get(taskId)]));
  const wrong = receipts.filter((id) => made.get(id) !== `receipt ${id}`);
  return finding('webhooks that were acknowledged made their tasks', receipts.length, wrong);
}

function auditAgents({ journal, facts }: AuditInput): Finding[] {
  const { claims, progress, completions } = journal;
  const leases = new Map(facts.leases.map((lease) => [lease.id, lease]));
  const isGiven = ({ leaseId, taskId, agentId, token }: Journal['claims'][number]) => {
    const lease = leases.get(leaseId);
    return lease?.taskId === taskId && lease.agentId === agentId && lease.token === token;
  };
  const tasks = new Map(facts.tasks.map((task) => [task.id, task]));
  const isStored = ({ taskId, agentId, summary, mark }: Journal['completions'][number]) => {
    const task = tasks.get(taskId);
    const isTheirs = task?.status === 'completed' && task.completedBy === agentId;
    return isTheirs && task.summary === summary && task.mark === mark;
  };
  // A report that was repeated, as its response was lost, is there twice: it sets what it had set.
  const found = new Set(facts.milestones.map(({ taskId, name }) => `${taskId} ${name}`));
  const lost = progress.map(({ taskId, milestone }) => `${taskId} ${milestone}`).filter((entry) => !found.has(entry));
  return [
    finding(
      'claims that were acknowledged have their leases',
      claims.length,
      claims.filter((claim) => !isGiven(claim)).map(({ leaseId }) => leaseId),
    ),
    finding(
      'nothing was accepted under a lease after a later one was acknowledged',
      progress.length + completions.length,
      outdated(journal),
    ),
    finding('progress that was acknowledged is in the timeline', progress.length, lost),
    finding(
      'acknowledged completions are stored, with their results',
      completions.length,
      completions.filter((completion) => !isStored(completion)).map(({ taskId }) => taskId),
    ),
    finding(
      'no task was completed by two agents',
      completions.length,
      doubled(completions.map(({ taskId }) => taskId)),
    ),
  ];
}

/** Tasks with a report that was first sent when an agent had already been given a later lease. */
function outdated({ claims, progress, completions }: Journal): string[] {
  const claimsOf = Map.groupBy(claims, ({ taskId }) => taskId);
  return [...progress, ...completions]
    .filter(({ taskId, token, sentAt }) =>
      claimsOf.get(taskId)?.some((claim) => claim.token > token && claim.answeredAt < sentAt),
    )
    .map(({ taskId }) => taskId);
}
