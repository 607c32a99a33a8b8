import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Image } from './build-image.ts';

export type Container = {
  process: ChildProcess;
  /** Both streams, as far as they were read. */
  output: () => string;
  /** The exit code, or the signal that ended it. */
  exited: Promise<number | string>;
};

type Started = Pick<Image, 'root' | 'workdir' | 'env' | 'entrypoint' | 'user'>;

/** What `docker run <image> <args>` would start: the entry point as the image's user, without the environment of this process. */
export function runContainer(
  image: Started,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Container {
  const [program = '', ...first] = image.entrypoint;
  const [uid, gid] = image.user.split(':').map(Number);
  const bin = join(image.root, 'usr/local/bin');
  const child = spawn(join(bin, program), [...first, ...args], {
    cwd: join(image.root, image.workdir),
    env: { ...image.env, PATH: bin, TMPDIR: join(image.root, 'tmp'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && gid !== undefined ? { uid, gid } : {}),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'close').then(([code, signal]) => (signal as string | null) ?? (code as number));
  return { process: child, output: () => output, exited };
}
