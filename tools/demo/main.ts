import { createApi } from './api.ts';
import { say } from './print.ts';
import { play } from './story.ts';
import { findSystem } from './system.ts';
import { createVerdict, type Verdict } from './verdict.ts';

/** Whatever happens, the demo has an end. */
const deadlineMs = 240_000;

async function main(): Promise<void> {
  const system = await findSystem(process.env);
  let stopping: Promise<unknown> | undefined;
  const stopAndExit = (code: number) => void (stopping ??= system.stop().finally(() => process.exit(code)));
  // npm repeats the signal of a terminal's Ctrl-C.
  process.on('SIGINT', () => stopAndExit(130));
  process.on('SIGTERM', () => stopAndExit(143));
  const deadline = setTimeout(() => {
    console.error(`the demo did not end within ${deadlineMs / 1_000} s`);
    stopAndExit(1);
  }, deadlineMs);
  const verdict = createVerdict();
  try {
    const { baseUrl, tenant } = system;
    const own = 'a system of its own is ready (its data is thrown away at the end)';
    say(tenant === undefined ? own : `using ${baseUrl} in a tenant of its own, ${tenant}, which is deleted at the end`);
    await play(system, createApi(system.baseUrl, system.apiKey), verdict);
    printVerdict(verdict);
  } finally {
    clearTimeout(deadline);
    await system.stop();
  }
}

function printVerdict({ failures, count }: Verdict): void {
  for (const failure of failures) say(`NOT as expected: ${failure}`);
  if (failures.length === 0) say(`verdict: all ${count()} expectations met`);
  else say(`verdict: ${failures.length} of ${count()} expectations not met`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(`the demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
