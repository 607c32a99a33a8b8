import { fork } from 'node:child_process';
import { join } from 'node:path';
import { StartError } from '@eas/core';
import type { Seeded } from './seed.ts';

/** What the child is told. */
export type PrepareOrder = { databaseUrl: string; encryptionKey: string };
/** What the child answers; `sentence` says why it failed. */
export type PrepareReport = Prepared | { sentence: string };
/** How many migrations were applied, and what the seed made. */
export type Prepared = { applied: number } & Partial<Seeded>;

export type Preparation = {
  /** Migrates and seeds. Throws a StartError when that fails. */
  run(order: PrepareOrder): Promise<Prepared>;
  cancel(): void;
};

/**
 * Migrating and seeding need the schema engine and the features, which would stay in this process's memory for good:
 * a child does it. It is begun early, so that it loads while Postgres starts.
 */
export function beginPreparation(env: Readonly<Record<string, string | undefined>>): Preparation {
  const child = fork(join(import.meta.dirname, 'prepare.ts'), {
    env,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const report = new Promise<PrepareReport>((resolve) => {
    child.once('message', (message) => resolve(message as PrepareReport));
    child.once('error', (error) => resolve({ sentence: `The database cannot be prepared: ${error.message}.` }));
    child.once('exit', (code) => resolve({ sentence: `Preparing the database ended with exit code ${code}.` }));
  });
  return {
    async run(order) {
      child.send(order, () => {});
      const answer = await report;
      if ('sentence' in answer) throw new StartError(answer.sentence);
      return answer;
    },
    cancel: () => void child.kill('SIGKILL'),
  };
}
