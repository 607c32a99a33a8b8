import type { ApiResponse } from '../api/api.ts';
import { keepLease, type LeaseKeeper } from '../lease/lease-keeper.ts';
import { type Log, logOf } from '../log.ts';
import { TaskFailure } from '../task-failure.ts';
import { makeAttempt } from './attempt.ts';
import type { AttemptEnd } from './attempt-parts.ts';
import type { AttemptParts } from './attempt-parts.ts';
import { claim, type Claim } from './claim.ts';
import { holdLease, isResumedTooOften, resumeOf } from './leases/held-lease.ts';
import { createMailbox } from './people/mailbox.ts';
import { attach, lastCallOf, report } from './report.ts';
import { forgetTurn } from './saved-turn.ts';
import { openTaskFolder } from './task-folder.ts';

export type WorkParts = Pick<
  AttemptParts,
  'agent' | 'agentId' | 'api' | 'author' | 'cut' | 'mask' | 'project' | 'timeoutSeconds' | 'upstreams' | 'workspace'
> & {
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
  /** How the lease was left that is resumed. Undefined: it is a new one. */
  left?: Parameters<typeof resumeOf>[0];
};

/** Works on the task of a claim until the service knows how it ended. */
export function workOnTask(parts: WorkParts, response: ApiResponse, { after, left }: WorkOptions): Work {
  const claimed = claim.parse(response.body);
  const { task, lease, directives } = claimed;
  const log = logOf(parts.log, task.id);
  const resume = resumeOf(left, directives);
  log(`${left ? 'resumed' : 'claimed'}: ${task.title}`);
  const folder = after(task.id).then(() => openTaskFolder(parts.workspace, task.id));
  const mailbox = createMailbox(() => folder, directives);
  const { agentId, checkMs, api, cut, mask } = parts;
  const onChange = () => {
    if (asked) void asked().catch((error: unknown) => log(`the lease on the disk: ${textOf(error)}`));
    parts.onChange();
  };
  let asked: (() => Promise<void>) | undefined;
  const keeper = keepLease(
    { api, log, mask, checkMs, deliver: mailbox.deliver, onChange },
    { lease, directives },
    response,
  );

  async function work(): Promise<string> {
    const taskFolder = await folder;
    const held = { agentId, leaseId: lease.lease_id, fencingToken: lease.fencing_token, ...resume };
    const holding = await holdLease(taskFolder, held);
    asked = async () => void (keeper.state() === 'parked' && (await holding.asks()));
    const attempt = isResumedTooOften(resume)
      ? Promise.reject(killsRunners())
      : makeAttempt({ ...parts, claimed, keeper, mailbox, taskFolder, log });
    const end = await attempt.catch((error: unknown) => failedEnd(error, keeper, cut));
    const { how, isOver } = await reportEnd(end, { keeper, claimed, log });
    if (!('stopped' in end) && !keeper.lost.aborted) await forgetTurn(taskFolder);
    await holding.end(isOver);
    await taskFolder.close();
    if (parts.isTidy && how === 'complete') await taskFolder.remove();
    return how;
  }

  const done = work()
    .catch(async (error: unknown) => (await reportEnd(failedEnd(error, keeper, cut), { keeper, claimed, log })).how)
    .then(log)
    .catch((error: unknown) => log(`aborted: ${textOf(error)}`))
    .finally(() => keeper.stop());
  return { taskId: task.id, state: keeper.state, done };
}

const killsRunners = () =>
  new TaskFailure(
    'Runners were killed again and again while they worked on this task. The task may be why: look at their memory and what it starts.',
    true,
  );

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

type Reporting = { keeper: LeaseKeeper; claimed: Claim; log: Log };
/** `how`: in words for the log. Not `isOver`: a later runner goes on under the lease. */
type Reported = { how: string; isOver: boolean };

/** Reports to the service how the attempt ended. */
async function reportEnd(end: AttemptEnd, { keeper, claimed, log }: Reporting): Promise<Reported> {
  if ('stopped' in end) return end.stopped === 'lost' ? lostEnd(keeper) : giveBack(keeper);
  await attach(keeper, end.artifacts, { known: claimed.context.artifacts, log });
  const { verdict, words } = end;
  if (verdict.kind === 'fail') log(`failed: ${verdict.reason.split('\n')[0]}`);
  return { how: await report(keeper, lastCallOf(verdict, words)), isOver: true };
}

const lostEnd = ({ lost }: LeaseKeeper): Reported => ({ how: `stopped: ${String(lost.reason)}`, isOver: true });

/** The runner ends. While a person is asked the lease is not given back: a later runner goes on under it with the answer. */
async function giveBack(keeper: LeaseKeeper): Promise<Reported> {
  const waiting = { how: 'stopped: waiting for a person', isOver: false };
  if (keeper.state() !== 'running') return waiting;
  const result = await keeper.call('release', { reason: 'The runner was stopped.' });
  if (result.kind === 'done') return { how: 'release', isOver: true };
  // The question may have come to the service, and its response not yet to the runner.
  return result.kind === 'lost' ? lostEnd(keeper) : waiting;
}
