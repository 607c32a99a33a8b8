// What was last found for each agent and ending, whichever of them the last runs tried.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TriedAgent } from './agents.ts';

const file = join(import.meta.dirname, 'results.json');

export type Result = {
  ending: string;
  kind: 'passed' | 'failed' | 'skipped';
  /** How it ended, or what was wrong. */
  text: string;
  seconds: number;
};

/** `megabytes`: the most that one of its runners had. */
export type AgentResults = { what: string; date: string; megabytes: number; results: Result[] };
export type Results = Record<string, AgentResults>;

export const readResults = (): Results => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {});

/** Those of another version of the agent are dropped. */
export function keepResults({ id, what }: TriedAgent, found: Pick<AgentResults, 'megabytes' | 'results'>): void {
  const all = readResults();
  const before = all[id]?.what === what ? all[id] : { megabytes: 0, results: [] };
  const isNew = ({ ending }: Result) => found.results.some((one) => one.ending === ending);
  all[id] = {
    what,
    date: new Date().toISOString().slice(0, 10),
    megabytes: Math.max(before.megabytes, found.megabytes),
    results: [...before.results.filter((one) => !isNew(one)), ...found.results],
  };
  writeFileSync(file, `${JSON.stringify(all, undefined, 2)}\n`);
}
