import type { BenchAgent } from '../harness/work-task.ts';
import { nextMessage, startChild } from '../harness/child-task.ts';

/** The calls of a well-behaved tenant: `perSecond` in all, at fixed times, however long the responses take. */
export type WellBehavedLoad = {
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

/** Times of these first seconds are recorded separately: an attack may begin with 3,000 requests at once. */
export const onsetSeconds = 2;

/** The steps of the well-behaved tenant's workflow, in sequence. */
export const wellBehavedSteps = 5;

export type WellBehavedResult = {
  /** Times from the moment at which a request was due to its response, in ms, of the first two seconds. */
  onsetMs: number[];
  timesMs: number[];
  /** From a step's completion to the claim of the step that follows it, in ms. */
  stepsMs: number[];
  errors: Record<string, number>;
};

/** A client in a process of its own, already warm; `run` starts the measurement. */
export async function startWellBehavedLoad(load: WellBehavedLoad): Promise<{ run(): Promise<WellBehavedResult> }> {
  const child = startChild('../abuse/well-behaved-load-generator.ts', load);
  await nextMessage(child);
  return {
    run: () => {
      const result = nextMessage<WellBehavedResult>(child);
      child.send('go');
      return result;
    },
  };
}
