import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PlannedRunner, plannedRunner } from '@eas/contracts';

export type RunnerFolder = ReturnType<typeof openRunnerFolder>;

/** Keeps what is needed to start runners again: a folder with a configuration and a key for each. */
export function openRunnerFolder(dataDir: string, onProblem: (sentence: string) => void) {
  const root = join(dataDir, 'runners');
  const folderOf = (agentId: string) => join(root, agentId);
  const keyFileOf = (agentId: string) => join(folderOf(agentId), 'key');

  function readOne(agentId: string): PlannedRunner | undefined {
    try {
      const planned = plannedRunner.parse(JSON.parse(readFileSync(join(folderOf(agentId), 'runner.json'), 'utf8')));
      return planned.agent_id === agentId ? planned : undefined;
    } catch (error) {
      onProblem(
        `The runner of ${agentId} is not started: ${join(folderOf(agentId), 'runner.json')} cannot be read (${(error as Error).name}).`,
      );
      return undefined;
    }
  }

  return {
    keyFileOf,
    /** One for all: runners share clones, and go on with what another left of a task. */
    workspace: join(root, 'work'),
    write(planned: PlannedRunner, key: string): void {
      mkdirSync(folderOf(planned.agent_id), { recursive: true, mode: 0o700 });
      writeFileSync(keyFileOf(planned.agent_id), `${key}\n`, { mode: 0o600 });
      const text = `${JSON.stringify(planned, null, 2)}\n`;
      writeFileSync(join(folderOf(planned.agent_id), 'runner.json'), text, { mode: 0o600 });
    },
    remove: (agentId: string) => rmSync(folderOf(agentId), { recursive: true, force: true }),
    /** All of them, in the order of their ids, which is that of their making. */
    readAll: (): PlannedRunner[] =>
      entriesOf(root)
        .filter((name) => name !== 'work')
        .sort()
        .flatMap((name) => readOne(name) ?? []),
  };
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
