import { claimResult } from '@eas/contracts';
import { z } from 'zod';
import type { ApiResponse, Api } from '../api/api.ts';
import { type Log, logOf } from '../log.ts';
import { order } from '../lease/inbox.ts';
import { keepLease, type LeaseKeeper } from '../lease/lease-keeper.ts';
import { createMailbox } from './mailbox.ts';
import { endOf, failure, lastCallOf } from './last-call.ts';
import { type Run, runCommand, type RunParts } from './run-command.ts';
import { openTaskFolder, type TaskFolder } from './task-folder.ts';

export type WorkParts = {
  api: Api;
  log: Log;
  workspace: string;
  /** Whether the folder of a completed task goes. */
  isTidy: boolean;
  checkMs: number;
  timeoutSeconds: number;
  command: RunParts['command'];
  cut: AbortSignal;
  /** Called whenever a piece of work begins to wait for a person, or goes on. */
  onChange: () => void;
};

export type Work = {
  taskId: string;
  /** running; parked: a person is waited for; answered: it waits for a slot to go on; lost. */
  state(): ReturnType<LeaseKeeper['state']>;
  done: Promise<void>;
};

/** A claim as the runner reads it: what other versions of the service say goes to the command as it came. */
const claim = claimResult.extend({
  task: z.looseObject({ id: z.string(), title: z.string() }),
  context: z.looseObject({ answers: z.array(z.unknown()).max(1_000) }),
  directives: z.array(order).max(1_000),
});

/** Works on the task of a claim until the service knows how it ended. `after`: what must be over before. */
export function workOnTask(parts: WorkParts, response: ApiResponse, after: (taskId: string) => Promise<void>): Work {
  const { task, context, lease, directives } = claim.parse(response.body);
  const log = logOf(parts.log, task.id);
  log(`claimed: ${task.title}`);
  const folder = after(task.id).then(() => openTaskFolder(parts.workspace, task.id));
  const mailbox = createMailbox(() => folder, directives);
  const { checkMs, onChange, api } = parts;
  const keeper = keepLease({ api, log, checkMs, deliver: mailbox.deliver, onChange }, { lease, directives }, response);

  async function work(): Promise<void> {
    const taskFolder = await folder;
    for (let count = 1; ; count += 1) {
      const { directives: orders, answers } = mailbox.take();
      const known = { ...context, answers: [...context.answers, ...answers] };
      const firstLine = { task, context: known, directives: orders, run: count };
      await taskFolder.write('task.json', firstLine);
      const { command, timeoutSeconds, cut } = parts;
      const common = { command, timeoutSeconds, keeper, folder: taskFolder, taskId: task.id, cut };
      const run = await runCommand({
        ...common,
        task: firstLine,
        onAsked: mailbox.keepAsked,
        onRunning: mailbox.listen,
      });
      for (const line of howItEnded(run)) log(line);
      // A command may ask a person and end: it runs again with the answer, also when that came before its end.
      if (run.stopped || (keeper.state() === 'running' && !mailbox.owesAnswer())) return end(run, taskFolder);
      if (keeper.state() !== 'running') log('waiting for a person');
      await keeper.running(cut);
      if (keeper.state() !== 'running')
        return end({ ...run, stopped: keeper.lost.aborted ? 'lost' : 'cut' }, taskFolder);
    }
  }

  async function end(run: Run, taskFolder: TaskFolder): Promise<void> {
    const how = await report(keeper, run, parts.timeoutSeconds);
    log(how);
    await taskFolder.close();
    if (parts.isTidy && how === 'complete') await taskFolder.remove();
  }

  const done = work()
    .catch((error: unknown) => log(`aborted: ${error instanceof Error ? error.message : String(error)}`))
    .finally(() => keeper.stop());
  return { taskId: task.id, state: keeper.state, done };
}

/** Lines for the log: what the command wrote of its failure is often all that is known of it. */
function howItEnded({ ended, errors, stopped }: Run): string[] {
  const shown = ended.code === 0 || stopped ? [] : errors;
  return [`the command ended: ${endOf(ended)}`, ...shown.map((line) => `stderr: ${line}`)];
}

async function report(keeper: LeaseKeeper, run: Run, timeoutSeconds: number): Promise<string> {
  if (run.stopped === 'lost') return `stopped: ${String(keeper.lost.reason)}`;
  // Nothing may be said under a parked lease; whoever claims after the answer goes on from the checkpoint.
  if (run.stopped === 'cut' && keeper.state() !== 'running') return 'stopped: waiting for a person';
  const lastCall = (() => {
    if (run.stopped === 'cut') return { verb: 'release', body: { reason: 'The runner was stopped.' } };
    if (run.stopped === 'timeout') return failure(`The command did not end within ${timeoutSeconds} s.`, true);
    return lastCallOf(run.ended, run.words, run);
  })();
  const result = await keeper.call(lastCall.verb, lastCall.body);
  if (result.kind === 'done') return lastCall.verb;
  if (result.kind === 'lost') return `stopped: ${result.reason}`;
  const reason = `${lastCall.verb} was refused: ${result.error.message}`;
  if (lastCall.verb !== 'fail' && lastCall.verb !== 'release') {
    const { verb, body } = failure(`The command's ${reason}`, true);
    await keeper.call(verb, body);
  }
  return reason;
}
