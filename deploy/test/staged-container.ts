import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type StagedImage, stageImage } from './stage-image.ts';

const root = resolve(import.meta.dirname, '../..');

export type Image = StagedImage & { folder: string };

/** Everything of an image in a temporary folder, which no one may write to, except tmp. */
export function buildImage(): Image {
  const folder = mkdtempSync(join(tmpdir(), 'eas-image-'));
  const image = stageImage({ folder, run });
  chmodSync(folder, 0o755);
  mkdirSync(join(image.root, 'tmp'));
  chmodSync(join(image.root, 'tmp'), 0o777);
  execFileSync('chmod', ['-R', 'a-w,a+rX', join(image.root, image.workdir)]);
  return { ...image, folder };
}

export function removeImage({ folder }: Pick<Image, 'folder'>): void {
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
}

const installed = join(root, 'node_modules');
/** Without a copy where both folders are on one disk. */
const copyInstalled = `
  cp -al "${installed}" node_modules 2> /dev/null || { rm -rf node_modules; cp -a "${installed}" node_modules; }
  rm -f node_modules/.eas-* node_modules/.package-lock.json.bak`;

/** Without its flags, because `npm ci` would install what exists already; marks of installs are left out. */
function run(command: string, directory: string): void {
  const meant = command === 'npm ci' ? copyInstalled : command;
  execFileSync('sh', ['-ec', meant], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: `${join(root, 'node_modules/node/bin')}:${process.env['PATH']}`,
      HOME: process.env['HOME'],
      npm_config_prefer_offline: 'true',
    },
  });
}

export type Container = {
  process: ChildProcess;
  /** Both streams, as far as they were read. */
  output: () => string;
  /** The exit code, or the signal that ended it. */
  exited: Promise<number | string>;
};

/** What `docker run <image> <args>` would start: the entry point as the image's user, without the environment of this process. */
export function runContainer(image: Image, args: readonly string[], env: Readonly<Record<string, string>>): Container {
  const [program = '', ...first] = image.entrypoint;
  const [uid, gid] = image.user.split(':').map(Number);
  const bin = join(image.root, 'usr/local/bin');
  const child = spawn(join(bin, program), [...first, ...args], {
    cwd: join(image.root, image.workdir),
    env: { PATH: bin, TMPDIR: join(image.root, 'tmp'), ...image.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Another user than root's cannot be chosen by anyone else: then it is the one who tests.
    ...(process.getuid?.() === 0 && uid !== undefined && gid !== undefined ? { uid, gid } : {}),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'close').then(([code, signal]) => (signal as string | null) ?? (code as number));
  return { process: child, output: () => output, exited };
}
