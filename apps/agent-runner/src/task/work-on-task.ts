import type { ApiResponse, Api } from '../api/api.ts';
import { keepLease, type LeaseKeeper } from '../lease/lease-keeper.ts';
import { type Log, logOf } from '../log.ts';
import { TaskFailure } from '../task-failure.ts';
import { type AttemptEnd, makeAttempt } from './attempt.ts';
import type { AttemptParts } from './attempt-parts.ts';
import { claim, type Claim } from './claim.ts';
import { holdLease } from './leases/held-lease.ts';
import { createMailbox } from './mailbox.ts';
import { attach, lastCallOf, report } from './report.ts';
import { forgetTurn } from './saved-turn.ts';
import { openTaskFolder } from './task-folder.ts';

export type WorkParts = Pick<
  AttemptParts,
  'agent' | 'author' | 'cut' | 'project' | 'secrets' | 'timeoutSeconds' | 'upstreams' | 'workspace'
> & {
  agentId: string;
  api: Api;
  log: Log;
  /** Whether the folder of a completed task goes. */
  isTidy: boolean;
  checkMs: number;
  /** Called whenever a piece of work begins to wait for a person, or goes on. */
  onChange: () => void;
};

export type Work = {
  taskId: string;
  /** running; parked: a person is waited for; answered: it waits for a slot to go on; lost. */
  state(): ReturnType<LeaseKeeper['state']>;
  done: Promise<void>;
};

export type WorkOptions = {
  /** What must be over before. */
  after: (taskId: string) => Promise<void>;
  /** How often the lease was resumed. */
  resumed?: number;
};

/** Works on the task of a claim until the service knows how it ended. */
export function workOnTask(parts: WorkParts, response: ApiResponse, { after, resumed = 0 }: WorkOptions): Work {
  const claimed = claim.parse(response.body);
  const { task, lease, directives } = claimed;
  const log = logOf(parts.log, task.id);
  log(`${resumed > 0 ? 'resumed' : 'claimed'}: ${task.title}`);
  const folder = after(task.id).then(() => openTaskFolder(parts.workspace, task.id));
  const mailbox = createMailbox(() => folder, directives);
  const { agentId, checkMs, onChange, api, cut } = parts;
  const keeper = keepLease({ api, log, checkMs, deliver: mailbox.deliver, onChange }, { lease, directives }, response);

  async function work(): Promise<string> {
    const taskFolder = await folder;
    const held = { agentId, leaseId: lease.lease_id, fencingToken: lease.fencing_token, resumed };
    const holding = await holdLease(taskFolder, held);
    const end = await makeAttempt({ ...parts, claimed, keeper, mailbox, taskFolder, log }).catch((error: unknown) =>
      failedEnd(error, keeper, cut),
    );
    const isParked = leavesParked(end, keeper);
    const how = await tell(end, { keeper, claimed, log });
    if (!('stopped' in end) && !keeper.lost.aborted) await forgetTurn(taskFolder);
    await holding.end(!isParked);
    await taskFolder.close();
    if (parts.isTidy && how === 'complete') await taskFolder.remove();
    return how;
  }

  const done = work()
    .catch((error: unknown) => tell(failedEnd(error, keeper, cut), { keeper, claimed, log }))
    .then(log)
    .catch((error: unknown) => log(`aborted: ${textOf(error)}`))
    .finally(() => keeper.stop());
  return { taskId: task.id, state: keeper.state, done };
}

/** What an attempt comes to that was broken off: by the loss of its lease, by the end of the runner, or by a failure. */
function failedEnd(error: unknown, keeper: LeaseKeeper, cut: AbortSignal): AttemptEnd {
  if (keeper.lost.aborted) return { stopped: 'lost' };
  if (cut.aborted) return { stopped: 'cut' };
  const isKnown = error instanceof TaskFailure;
  const reason = isKnown ? error.message : `The runner failed: ${textOf(error)}`;
  const isRetryable = isKnown ? error.isRetryable : true;
  return { verdict: { kind: 'fail', reason, isRetryable }, words: {}, artifacts: [] };
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The runner ends while a person is asked: a later one goes on. */
const leavesParked = (end: AttemptEnd, keeper: LeaseKeeper): boolean =>
  'stopped' in end && end.stopped === 'cut' && keeper.state() !== 'running';

type Telling = { keeper: LeaseKeeper; claimed: Claim; log: Log };

/** Tells the service how the attempt ended; gives that in words for the log. */
async function tell(end: AttemptEnd, { keeper, claimed, log }: Telling): Promise<string> {
  if ('stopped' in end) {
    if (end.stopped === 'lost') return `stopped: ${String(keeper.lost.reason)}`;
    // Nothing may be said under a parked lease; whoever claims after the answer goes on from the checkpoint.
    if (leavesParked(end, keeper)) return 'stopped: waiting for a person';
    return report(keeper, { verb: 'release', body: { reason: 'The runner was stopped.' } });
  }
  await attach(keeper, end.artifacts, { known: claimed.context.artifacts, log });
  const { verdict, words } = end;
  if (verdict.kind === 'fail') log(`failed: ${verdict.reason.split('\n')[0]}`);
  return report(keeper, lastCallOf(verdict, words));
}
