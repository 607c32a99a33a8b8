import { fork } from 'node:child_process';
import { join } from 'node:path';
import { StartError } from '@eas/core';
import type { Seeded } from './seed.ts';

/** `migrateUrl`: as the role that owns the tables; `setting`: that it came from. */
export type PrepareOrder = {
  migrateUrl: string;
  setting: string;
  embeddedAppUrl?: string | undefined;
  encryptionKey: string;
};
/** What the child sends, first about the settings, then about the order; `sentence` says why it failed. */
/** `variables`: that the service reads. */
type Checked = { isChecked: true; variables: string[] };

export type PrepareReport = Checked | Prepared | { sentence: string };
export type Prepared = { applied: number } & Partial<Seeded>;

export type Preparation = {
  /** Gives the variables that the service reads, when the settings of all apps fit and their stores respond. Throws a StartError that names those at fault. */
  checkSettings(): Promise<string[]>;
  /** Migrates and seeds. Throws a StartError when that fails. */
  run(order: PrepareOrder): Promise<Prepared>;
  cancel(): void;
};

/** In a child, so that the schema engine does not stay in memory here; begun early, to load while Postgres starts. */
export function beginPreparation(env: Readonly<Record<string, string | undefined>>): Preparation {
  const child = fork(join(import.meta.dirname, 'prepare.ts'), {
    env,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const end = new Promise<PrepareReport>((resolve) => {
    child.once('error', (error) => resolve({ sentence: `The database cannot be prepared: ${error.message}.` }));
    child.once('exit', (code) => resolve({ sentence: `Preparing the database failed with exit code ${code}.` }));
  });
  const nextReport = async (): Promise<PrepareReport> => {
    const message = new Promise<PrepareReport>((resolve) => child.once('message', (sent) => resolve(sent as never)));
    const report = await Promise.race([message, end]);
    if ('sentence' in report) throw new StartError(report.sentence);
    return report;
  };
  const checked = nextReport();
  // `checkSettings` reports the error; until it is called, the rejection must not count as unhandled.
  checked.catch(() => {});
  return {
    checkSettings: async () => ((await checked) as Checked).variables,
    async run(order) {
      child.send(order, () => {});
      return (await nextReport()) as Prepared;
    },
    cancel: () => void child.kill('SIGKILL'),
  };
}
