import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findIn } from '@eas/testing/programs';

const recorder = join(import.meta.dirname, 'recorder.ts');

/** The file of what was said about a task, in the folder of that task. */
export const spokenFile = 'spoken.jsonl';

/** The environment in which the program is found with the recorder in front of it. Probes of the runner have no task: they are not recorded. */
export function withRecorder(env: Record<string, string>, program: string, folder: string): Record<string, string> {
  const path = env['PATH'] ?? '';
  const real = findIn(path, program);
  if (real === undefined) throw new Error(`${program} is not there.`);
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh
[ -n "$TASK_DIR" ] || exec '${real}' "$@"
exec '${process.execPath}' '${recorder}' "$TASK_DIR/${spokenFile}" '${real}' "$@"
`;
  writeFileSync(join(folder, program), script, { mode: 0o755 });
  return { ...env, PATH: [folder, path].join(delimiter) };
}
