import { createTail } from './output-tail.ts';
import { type CommandParts, startCommand } from './start-command.ts';

export type ShellParts = CommandParts & {
  timeoutSeconds: number;
  /** Ends the command. */
  signal: AbortSignal;
};

export type ShellRun = {
  code: number | null;
  signal: string | null;
  isTimedOut: boolean;
  seconds: number;
  /** The last of stdout and stderr, as they came. */
  tail: string;
};

/** What is kept of an output. */
const maxTailBytes = 16 * 1024;

/** Runs a shell command to its end, with all that it starts. Throws what the signal aborts with. */
export async function runShell({ timeoutSeconds, signal, ...parts }: ShellParts): Promise<ShellRun> {
  signal.throwIfAborted();
  const startMs = performance.now();
  const command = startCommand(parts);
  const tail = createTail(maxTailBytes);
  command.closeStdin();
  for (const output of [command.stdout, command.stderr]) output.on('data', (chunk: Buffer) => tail.add(chunk));
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
  for (const ending of [signal, timeout]) ending.addEventListener('abort', command.kill, { once: true });
  try {
    const ended = await command.ended;
    signal.throwIfAborted();
    const seconds = Math.round(performance.now() - startMs) / 1_000;
    return { ...ended, isTimedOut: timeout.aborted, seconds, tail: tail.text() };
  } finally {
    signal.removeEventListener('abort', command.kill);
  }
}
