import { clearTables } from '../harness/backlog.ts';
import type { Bench, Figure, Measured, Scenario } from '../harness/bench.ts';
import { say } from '../harness/report.ts';
import { ratioOf } from './figures.ts';

/** `problem`: why a scenario broke off; its figures are then those before it did. */
export type Outcome = { figures: Figure[]; problem?: string };

/** Runs a scenario. One that throws is cleaned up after, so that the others still run. */
export async function runScenario(scenario: Scenario, parts: Omit<Bench, 'record'>): Promise<Outcome> {
  say(`\n${scenario.name}: ${scenario.about}`);
  const figures: Figure[] = [];
  const bench: Bench = { ...parts, record: (measured) => void figures.push(figureOf(scenario.name, measured)) };
  try {
    await scenario.run(bench);
    return { figures };
  } catch (error) {
    const problem = `${scenario.name}: ${textOf(error)}`;
    say(`  FAILED: ${problem}`);
    const leftover = await cleanUp(bench).catch((failure: unknown) => `; cleaning up failed: ${textOf(failure)}`);
    return { figures, problem: `${problem}${leftover ?? ''}` };
  }
}

export function figureOf(scenario: string, measured: Measured): Figure {
  const ratio = ratioOf(measured);
  if (ratio > 0 && Number.isFinite(ratio)) return { scenario, ...measured };
  throw new Error(`no ratio of ${measured.rate} to ${measured.against.rate} (${measured.against.name})`);
}

async function cleanUp(bench: Bench): Promise<undefined> {
  await bench.apps.stopAll();
  await clearTables(bench);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
