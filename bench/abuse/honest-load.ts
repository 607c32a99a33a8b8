import type { BenchAgent } from '../harness/work-task.ts';
import { nextMessage, startChild } from '../harness/child-task.ts';

/** What an honest tenant does: each act so many times a second together, at fixed times, whatever the responses take. */
export type HonestLoad = {
  url: string;
  apiKey: string;
  /** Each holds one task at a time. */
  agents: readonly BenchAgent[];
  role: string;
  platformSecret: string;
  /** Works the steps of this workflow, one run after the other. */
  workflowId: string;
  worker: BenchAgent;
  perSecond: number;
  seconds: number;
};

/** So long from the start on is recorded apart: 3,000 requests that come at once are a moment of their own. */
export const onsetSeconds = 2;

/** Of the honest tenant's workflow, one after the other. */
export const honestSteps = 5;

export type HonestResult = {
  /** Times from the moment at which a request was due to its response, in ms, of the first two seconds. */
  onsetMs: number[];
  timesMs: number[];
  /** From a step's completion to the claim of the step that follows it, in ms. */
  stepsMs: number[];
  errors: Record<string, number>;
};

/** A client in a process of its own, at work already; `run` has it begin what is measured. */
export async function startHonestLoad(load: HonestLoad): Promise<{ run(): Promise<HonestResult> }> {
  const child = startChild('../abuse/honest-load-generator.ts', load);
  await nextMessage(child);
  return {
    run: () => {
      const result = nextMessage<HonestResult>(child);
      child.send('go');
      return result;
    },
  };
}
