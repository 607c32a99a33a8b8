import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type FoundAgent, foundAgent } from '@eas/contracts';
import { nodeFlags } from '@eas/runtime';
import { z } from 'zod';
import { keepFor } from './keep-for.ts';

const keptMs = 60_000;
/** A limit for hangs: one process is started, on however busy a machine. */
const findLimitMs = 60_000;
/** An agent that is only slow gets a minute. */
const probeLimitMs = 90_000;
const maxOutputBytes = 1_000_000;
const run = promisify(execFile);

export type AgentFinder = {
  /** The coding agents, and which of them are installed. Throws when the search fails. */
  find(): Promise<FoundAgent[]>;
  /** The same with the versions and problems that are known so far. `isProbing`: more follows. */
  withProbes(found: readonly FoundAgent[]): { agents: FoundAgent[]; isProbing: boolean };
};

type FinderParts = {
  easFile: string;
  env: Readonly<Record<string, string | undefined>>;
  onProblem: (sentence: string) => void;
};

/** Runs the command `eas` in a process of its own, to isolate the supervisor from failures of coding agents. */
export function createAgentFinder({ easFile, env, onProblem }: FinderParts): AgentFinder {
  async function ask(flags: readonly string[], limitMs: number): Promise<FoundAgent[]> {
    const args = [...nodeFlags, easFile, 'agent', 'presets', '--json', ...flags];
    const limits = { timeout: limitMs, killSignal: 'SIGKILL' as const, maxBuffer: maxOutputBytes };
    const { stdout } = await run(process.execPath, args, { env, ...limits });
    return z.array(foundAgent).parse(JSON.parse(stdout));
  }
  const found = keepFor(keptMs, () =>
    ask([], findLimitMs).catch((error: Error) => {
      onProblem(`Coding agents cannot be looked for: ${error.message}`);
      throw error;
    }),
  );
  const probed = keepFor(keptMs, () => ask(['--probe'], probeLimitMs));
  return {
    find: found.read,
    withProbes(agents) {
      if (!agents.some((agent) => agent.found)) return { agents: [...agents], isProbing: false };
      probed.read().catch(() => {});
      const known = probed.latest() ?? [];
      const better = (agent: FoundAgent) =>
        known.find(({ preset, path }) => preset === agent.preset && path === agent.path) ?? agent;
      return { agents: agents.map(better), isProbing: probed.isReading() };
    },
  };
}
