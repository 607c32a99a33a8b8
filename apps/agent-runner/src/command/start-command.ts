import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Ended, endOfGroup, signalGroup } from './process-group.ts';
import type { Env } from '../key/env.ts';

export type CommandParts = {
  /** Run by `sh -c`. */
  line: string;
  folder: string;
  env: Env;
  /** Between SIGTERM and SIGKILL. */
  graceSeconds: number;
};

export type Command = {
  pid: number;
  /** A text that only its environment has, and that of what it starts. */
  mark: string;
  stdout: Readable;
  stderr: Readable;
  /** Writes a line of JSON to its stdin; false when it ended or closed it before the line was in the pipe. */
  say(message: object): Promise<boolean>;
  closeStdin(): void;
  /** Once it has ended and nothing of its process group is left. */
  ended: Promise<Ended>;
  /** SIGTERM to its process group, then SIGKILL. */
  kill(): void;
};

// The watcher ends the group when file 3 closes, so no command outlives a runner that dies, in whatever way, with its
// lease. It lives in the group itself, so that it goes when the group is killed. Last it ends what has the mark.
const watched = `
{ trap '' TERM; cat <&3; kill -TERM 0; sleep "$2"
  read -r self rest </proc/self/stat
  for file in $(grep -ls -e "$3" /proc/[0-9]*/environ); do
    pid=\${file#/proc/} pid=\${pid%/environ}; [ "$pid" = "$self" ] || kill -KILL "$pid"
  done
  kill -KILL 0; } >/dev/null 2>&1 &
exec 3<&-
exec sh -c "$1"`;

export function startCommand({ line, folder, env, graceSeconds }: CommandParts): Command {
  const run = randomUUID();
  const mark = `AGENT_RUN=${run}`;
  const child = spawn('sh', ['-c', watched, 'agent-runner', line, String(graceSeconds), mark], {
    cwd: folder,
    env: { ...env, AGENT_RUN: run },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const { pid = 0, stdin, stdout, stderr } = child;
  const ended = endOfGroup(child);
  // A command need not read its stdin, and may end while a line is written to it.
  stdin.on('error', () => {});
  child.stdio[3]?.on('error', () => {});
  let killTimer: NodeJS.Timeout | undefined;
  child.once('exit', () => clearTimeout(killTimer));
  return {
    pid,
    mark,
    stdout,
    stderr,
    say: (message) =>
      new Promise((done) => {
        if (!stdin.writable) done(false);
        else stdin.write(`${JSON.stringify(message)}\n`, (error) => done(!error));
      }),
    closeStdin: () => void stdin.end(),
    ended,
    kill() {
      if (killTimer || pid === 0 || child.exitCode !== null || child.signalCode !== null) return;
      signalGroup(pid, 'SIGTERM');
      killTimer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceSeconds * 1_000);
    },
  };
}
