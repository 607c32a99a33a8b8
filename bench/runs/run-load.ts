import { runInChild } from '../harness/child-task.ts';
import type { FlightLoad, FlightResult } from './in-flight.ts';

/** Runs of a workflow, in parallel loops, worked by agents in the process that starts them. */
export type RunLoad = FlightLoad & { databaseUrl: string; workflowId: string; agentIds: readonly string[] };

/** `processorMs`: what starter and agents have used. `runs`: all that were started. */
export type RunLoadResult = FlightResult & { processorMs: number; runs: number };

export const runRuns = (load: RunLoad): Promise<RunLoadResult> => runInChild('../runs/run-load-generator.ts', load);
