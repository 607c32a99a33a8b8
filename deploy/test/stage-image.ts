// The image without a container engine: does what the lines of a Dockerfile say, with folders in place of stages.
import dockerIgnore from '@balena/dockerignore';
import { type Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
export const dockerfilePath = join(root, 'deploy/container/Dockerfile');

type Stage = {
  root: string;
  workdir: string;
  env: Record<string, string>;
  /** Arguments of the build, with their defaults. */
  args: Record<string, string>;
  entrypoint: string[];
  healthcheck: string[];
  user: string;
};

/** What a container would start with: its root folder, and paths in it. */
export type StagedImage = Stage;

export type StagingOptions = {
  /** Where stages are laid out; empty. */
  folder: string;
  /** Runs a command in the working directory of its stage. */
  run: (command: string, directory: string) => void;
};

/** Lays out the last stage and those that it takes from. Throws at a line that it cannot follow. */
export function stageImage({ folder, run }: StagingOptions): StagedImage {
  const context = join(folder, 'context');
  copyContext(context);
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const instruction of DockerfileParser.parse(readFileSync(dockerfilePath, 'utf8')).getInstructions()) {
    const keyword = instruction.getKeyword();
    const words = instruction.getArguments().map((argument) => argument.getValue());
    if (keyword === 'FROM') {
      const [image = '', , name = 'image'] = words;
      stages.set(name, (stage = openStage(stages.get(image), image, join(folder, name))));
    } else if (stage) {
      follow(instruction, { stage, words, run, sourceOf: (name) => (name ? stages.get(name)?.root : context) });
    }
  }
  if (!stage) throw new Error(`${dockerfilePath} has no stage`);
  return stage;
}

type Step = Pick<StagingOptions, 'run'> & {
  stage: Stage;
  words: string[];
  sourceOf: (stageName: string | undefined) => string | undefined;
};

function follow(instruction: Instruction, { stage, words, run, sourceOf }: Step): void {
  const content = instruction.getArgumentsContent() ?? '';
  const directory = join(stage.root, stage.workdir);
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      stage.workdir = content;
      mkdirSync(join(stage.root, content), { recursive: true });
      return;
    case 'ARG':
      Object.assign(stage.args, Object.fromEntries(words.map(readPair)));
      return;
    case 'ENV':
      for (const [name, value] of words.map(readPair))
        stage.env[name] = value.replaceAll(/\$(\w+)/g, (_, arg: string) => stage.args[arg] ?? '');
      return;
    case 'RUN':
      return run(content.replace(/^(--\S+\s+)+/, ''), directory);
    case 'COPY': {
      const name = (instruction as Copy).getFromFlag()?.getValue() ?? undefined;
      const source = sourceOf(name);
      if (source === undefined) throw new Error(`COPY from the unknown stage ${name}`);
      return copy(source, words, directory, stage.root);
    }
    case 'USER':
      stage.user = content;
      return;
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(content) as string[];
      return;
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(content.replace(/^CMD\s+/, '')) as string[];
      return;
    case 'EXPOSE':
    case 'STOPSIGNAL':
      return;
    default:
      throw new Error(`${instruction.getKeyword()} cannot be followed without a container engine`);
  }
}

const readPair = (word: string): [name: string, value: string] => {
  const [name = '', ...value] = word.split('=');
  return [name, value.join('=')];
};

/** Of an image from outside only Node counts. */
function openStage(from: Stage | undefined, image: string, folder: string): Stage {
  mkdirSync(folder, { recursive: true });
  if (from) {
    link(`${from.root}/.`, folder);
    return { ...from, root: folder, env: { ...from.env }, args: {} };
  }
  if (image.startsWith('node:')) {
    mkdirSync(join(folder, 'usr/local/bin'), { recursive: true });
    copyFileSync(process.execPath, join(folder, 'usr/local/bin/node'));
  }
  return { root: folder, workdir: '/', env: {}, args: {}, entrypoint: [], healthcheck: [], user: '' };
}

/** What .dockerignore leaves of the repository. */
function copyContext(target: string): void {
  const ignored = dockerIgnore.default().add(readFileSync(join(root, '.dockerignore'), 'utf8'));
  const skipped = ['node_modules', '.git', '.nx', '.data'];
  const entries = globSync('**/*', { cwd: root, withFileTypes: true, exclude: ({ name }) => skipped.includes(name) });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  // Globs skip names that begin with a dot.
  for (const file of [...files, '.npmrc'].filter(ignored.createFilter())) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(root, file), join(target, file));
  }
}

/** As COPY does: the content of a folder, or files by their names into a folder. */
function copy(source: string, words: string[], directory: string, stageRoot: string): void {
  const given = words.at(-1) ?? '';
  const target = given.startsWith('/') ? join(stageRoot, given) : resolve(directory, given);
  for (const word of words.slice(0, -1)) {
    const path = join(source, word);
    const isFolder = statSync(path).isDirectory();
    const intoFolder = isFolder || given.endsWith('/');
    mkdirSync(intoFolder ? target : dirname(target), { recursive: true });
    if (isFolder) link(`${path}/.`, target);
    else link(path, intoFolder ? join(target, basename(word)) : target);
  }
}

/** Hard links: stages are large, and what is removed from one stays in the other. */
function link(from: string, to: string): void {
  execFileSync('cp', ['-alf', from, to]);
}
