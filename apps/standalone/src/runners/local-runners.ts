import { type LocalRunner, maxLocalRunners, type PlannedRunner } from '@eas/contracts';
import type { KeepAliveOptions } from '../supervision/keep-alive.ts';
import type { LogFiles } from '../supervision/log-files.ts';
import { spawnApp } from '../supervision/spawn-app.ts';
import { readLogTail } from './log-tail.ts';
import { Refusal } from './refusal.ts';
import { type Runner, startRunner } from './runner.ts';
import type { RunnerFolder } from './runner-folder.ts';

export type LocalRunnerParts = {
  /** Where the runners find the service. */
  url: string;
  easFile: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  folder: RunnerFolder;
  logFiles: Pick<LogFiles, 'fileOf' | 'remove'>;
  onDeath: KeepAliveOptions['onDeath'];
};

export type LocalRunners = ReturnType<typeof createLocalRunners>;

/** The runners that a person has started on this machine. */
export function createLocalRunners(parts: LocalRunnerParts) {
  const { folder, logFiles } = parts;
  const runners = new Map<string, Runner>();
  const nameOf = (agentId: string) => `runner-${agentId}`;

  function run(planned: PlannedRunner): Runner {
    const logFile = logFiles.fileOf(nameOf(planned.agent_id));
    const { easFile: file, cwd, env, onDeath } = parts;
    const args = argsOf(planned, parts);
    const spawn = (onReady: () => void) =>
      spawnApp({ file, args, cwd, env, logFile, onMessage: (message) => isReady(message) && onReady() });
    const runner = startRunner(planned, { spawn, readLog: () => readLogTail(logFile), onDeath });
    runners.set(planned.agent_id, runner);
    return runner;
  }

  function assertCapacity(): void {
    if (runners.size < maxLocalRunners) return;
    const sentence = `${maxLocalRunners} runners run on this machine, which is the maximum. Stop one of them first.`;
    throw new Refusal('conflict', sentence, 'limit');
  }

  function of(agentId: string): Runner {
    const runner = runners.get(agentId);
    if (!runner) throw new Refusal('not_found', 'No runner of this agent is kept on this machine.');
    return runner;
  }

  return {
    assertCapacity,
    of,
    show: (): LocalRunner[] => [...runners.values()].map((one) => one.show()),
    start(planned: PlannedRunner, apiKey: string): Runner {
      assertCapacity();
      if (runners.has(planned.agent_id))
        throw new Refusal('conflict', 'The agent has a runner on this machine.', 'state');
      try {
        folder.write(planned, apiKey);
        return run(planned);
      } catch (error) {
        folder.remove(planned.agent_id);
        throw error;
      }
    },
    /** Ends it if it runs, and forgets it with its key and its log. */
    async remove(agentId: string): Promise<Runner> {
      const runner = of(agentId);
      await runner.stop(0);
      folder.remove(agentId);
      logFiles.remove(nameOf(agentId));
      runners.delete(agentId);
      return runner;
    },
    /** Starts the runners of the previous run. */
    startKept: () => folder.readAll().slice(0, maxLocalRunners).forEach(run),
    stop: async (graceMs: number) => void (await Promise.all([...runners.values()].map((one) => one.stop(graceMs)))),
  };
}

const isReady = (message: unknown): boolean => (message as { type?: unknown } | null)?.type === 'ready';

/** A runner has only seconds to end, too few for a coding agent: it gives its tasks back. */
const ending = ['--drain', '1', '--grace', '2'];

const argsOf = (planned: PlannedRunner, { url, folder }: LocalRunnerParts): string[] => [
  ...['agent', 'start', planned.preset, '--role', planned.role, '--url', url],
  ...['--key-file', folder.keyFileOf(planned.agent_id), '--workspace', folder.workspace],
  ...['--concurrency', String(planned.concurrency), ...ending],
];
