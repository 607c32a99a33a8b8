// The image as buildah builds it. No registry of images is needed: the base images are made of Debian's packages and of this Node.
import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findOnPath } from '@eas/testing/programs';

const repository = resolve(import.meta.dirname, '../..');
export const dockerfilePath = join(repository, 'deploy/container/Dockerfile');

/** What a container would start with. `root` has its files. */
export type Image = {
  root: string;
  workdir: string;
  env: Readonly<Record<string, string>>;
  entrypoint: readonly string[];
  healthcheck: readonly string[];
  user: string;
  remove(): void;
};

/** A container of its own file system and users needs the rights of root. */
export const canBuildImages = (): boolean =>
  process.getuid?.() === 0 && findOnPath('buildah') !== undefined && findOnPath('debootstrap') !== undefined;

type Buildah = (...args: string[]) => string;

export function buildImage(): Image {
  const folder = mkdtempSync(join(tmpdir(), 'eas-image-'));
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const buildah: Buildah = (command, ...args) => run('buildah', [...storage, command, ...args]);
  makeBaseImages(buildah, folder);
  // The format of Docker has health checks, that of the OCI has not.
  const build = ['--pull-never', '--quiet', '--format', 'docker', '--build-arg', 'BUILD_COMMIT=abc123'];
  buildah('build', ...build, '--file', dockerfilePath, '--tag', 'eas', repository);
  const container = buildah('from', '--pull-never', 'eas');
  const { config } = (JSON.parse(buildah('inspect', '--type', 'image', 'eas')) as Inspected).Docker;
  const root = buildah('mount', container);
  for (let path = root; path !== folder; path = dirname(path)) chmodSync(path, 0o755);
  chmodSync(folder, 0o755);
  return {
    root,
    workdir: config.WorkingDir,
    env: Object.fromEntries(config.Env.map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)])),
    entrypoint: config.Entrypoint,
    healthcheck: config.Healthcheck.Test,
    user: config.User,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type Inspected = {
  Docker: {
    config: {
      WorkingDir: string;
      Env: string[];
      Entrypoint: string[];
      Healthcheck: { Test: string[] };
      User: string;
    };
  };
};

function makeBaseImages(buildah: Buildah, folder: string): void {
  const [debian, withNode] = [join(folder, 'debian'), join(folder, 'node')];
  run('debootstrap', ['--variant=minbase', 'trixie', debian]);
  commit(buildah, { from: 'scratch', files: debian, name: 'docker.io/library/debian:trixie-slim' });
  const bin = join(withNode, 'usr/local/bin');
  mkdirSync(bin, { recursive: true });
  run('npm', ['install', '--global', '--prefix', join(withNode, 'usr/local'), 'npm@11']);
  copyFileSync(process.execPath, join(bin, 'node'));
  chmodSync(join(bin, 'node'), 0o755);
  const authority = process.env['NODE_EXTRA_CA_CERTS'];
  if (authority) copyFileSync(authority, join(withNode, 'authority.crt'));
  const env = authority ? ['--env', 'NODE_EXTRA_CA_CERTS=/authority.crt'] : [];
  commit(buildah, { from: 'debian:trixie-slim', files: withNode, name: 'docker.io/library/node:24-trixie-slim', env });
}

type Commit = { from: string; files: string; name: string; env?: string[] };

function commit(buildah: Buildah, { from, files, name, env = [] }: Commit): void {
  const container = buildah('from', '--pull-never', from);
  const added = readdirSync(files).map((entry) => join(files, entry));
  for (const path of added) buildah('add', '--quiet', container, path, `/${path.slice(files.length + 1)}`);
  if (env.length > 0) buildah('config', ...env, container);
  buildah('commit', '--quiet', '--rm', container, name);
}

function run(program: string, args: readonly string[]): string {
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
  const options: ExecFileSyncOptionsWithStringEncoding = {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64e6,
  };
  return execFileSync(program, args, options).trim();
}
