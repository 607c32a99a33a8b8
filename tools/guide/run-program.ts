// Starts a program of a page as the page says, in a folder with its file.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Block } from './guide-blocks.ts';

export type RunningProgram = { output(): string; stop(): void };

/** Ends when the port accepts connections; fails with what the program printed if it ends before. */
export async function startProgram(
  { program, commands }: Block,
  { folder, port, env }: { folder: string; port: number; env: NodeJS.ProcessEnv },
): Promise<RunningProgram> {
  if (program) writeFileSync(join(folder, program.file), program.text);
  const child = spawn('bash', ['-c', commands], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const stop = (): void => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it has ended
    }
  };
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${commands.trim()} ended with ${child.exitCode}:\n${output}`);
    await sleep(50);
  }
  return { output: () => output, stop };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });
}
