import type { ProfileResource } from '@eas/contracts';
import { runShell } from '../command/run-shell.ts';
import type { CheckResult } from '../verdict/happened.ts';
import type { ProjectSettings } from './project-settings.ts';

type CheckParts = { folder: string; settings: ProjectSettings; signal: AbortSignal };

/** Runs a check of a repository or of a profile to its end. Throws what the signal aborts with. */
export async function runCheck(
  { name, command: line, timeout_seconds: timeoutSeconds }: ProfileResource['checks'][number],
  { folder, settings: { env, graceSeconds }, signal }: CheckParts,
): Promise<CheckResult> {
  return { name, ...(await runShell({ line, folder, env, graceSeconds, timeoutSeconds, signal })) };
}
