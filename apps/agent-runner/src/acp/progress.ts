import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { PlanEntry } from './events/event.ts';

/** Minimum time between two reports: an agent may change its plan many times a second. */
const pauseMs = 5_000;
const [maxMilestones, maxNameLength] = [100, 200];

/** Reports the plan of an agent as milestones, at most one call at a time and one in a while. */
export function createProgress(keeper: Pick<LeaseKeeper, 'call' | 'state'>, everyMs = pauseMs) {
  let [wanted, reported] = ['', ''];
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();

  async function send(): Promise<void> {
    timer = undefined;
    // Nothing may be reported while a person is asked: the next plan contains everything again.
    if (wanted === reported || keeper.state() !== 'running') return;
    reported = wanted;
    await keeper.call('progress', JSON.parse(wanted) as object);
  }

  return {
    take(plan: readonly PlanEntry[]): void {
      if (plan.length === 0) return;
      wanted = JSON.stringify(reportOf(plan));
      timer ??= setTimeout(() => void (sending = sending.then(send)), reported === '' ? 0 : everyMs);
    },
    /** Sends the pending report. */
    async end(): Promise<void> {
      clearTimeout(timer);
      await sending;
      await send();
    },
  };
}

function reportOf(plan: readonly PlanEntry[]): object {
  const milestones = plan.slice(0, maxMilestones).map(({ text, status }) => ({
    name: text.replaceAll('\0', '').trim().slice(0, maxNameLength).toWellFormed() || '-',
    completed: status === 'completed',
  }));
  const completed = milestones.filter((milestone) => milestone.completed).length;
  return { milestones, percent_complete: Math.floor((100 * completed) / milestones.length) };
}
