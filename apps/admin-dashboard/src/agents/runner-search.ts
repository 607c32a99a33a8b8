import { oneOf, readTexts } from '../resources/read-search.ts';

export const runnerPresences = ['online', 'offline'] as const;

/** What the address of the list contains. */
export type RunnerSearch = { agent_id?: string; presence?: (typeof runnerPresences)[number] };

/** Reads the address and ignores unknown parts. */
export function readRunnerSearch(search: Record<string, unknown>): RunnerSearch {
  const { agent_id: agent, presence } = readTexts(search, ['agent_id', 'presence']);
  const known = oneOf(runnerPresences, presence);
  return { ...(agent !== undefined && { agent_id: agent }), ...(known && { presence: known }) };
}
