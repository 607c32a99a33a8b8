// The entry point of every npm script: installs what is missing (packages, Prisma client, Node 24), then runs the
// script's TypeScript under that Node. Node 20 syntax and no dependencies, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';

const MIN_NODE_MAJOR = 20;
/** Scripts that serve or test the dashboard. */
const SERVING = [
  'start',
  'dev',
  'test',
  'test:contract',
  'test:release',
  'test:failures',
  'test:real-agents',
  'test:upgrade',
  'demo',
  'demo:agents',
  'fuzz',
  'bench',
  'setup',
];
const NEEDED_MB = 1000;
const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const modules = join(root, 'node_modules');
const node24 = join(modules, '.bin', 'node');
const dashboard = join(root, 'apps', 'admin-dashboard');
const installStamp = join(modules, '.eas-stamp');
const prismaStamp = join(modules, '.eas-prisma-stamp');

/** script name → file and its first arguments */
const SCRIPTS = {
  start: ['apps/standalone/src/main.ts'],
  dev: ['apps/standalone/src/main.ts', '--watch'],
  cmd: ['apps/standalone/src/commands/cmd.ts'],
  test: ['tools/test.ts'],
  'test:contract': ['tools/contract/main.ts'],
  'test:failures': ['bench/failures/main.ts'],
  'test:real-agents': ['tools/real-agents/main.ts'],
  'test:release': ['tools/release/main.ts'],
  'update:presets': ['tools/real-agents/update-presets.ts'],
  'test:upgrade': ['tools/compatibility/test-upgrade.ts'],
  check: ['tools/check.ts'],
  'release:contract': ['tools/compatibility/release-contract.ts'],
  demo: ['tools/demo/main.ts'],
  'demo:agents': ['tools/real-agents/demo/main.ts'],
  fuzz: ['tools/fuzz/main.ts'],
  bench: ['bench/main.ts'],
  eas: ['apps/agent-runner/src/main.ts'],
  'agent-runner': ['apps/agent-runner/src/main.ts', 'agent', 'start'],
  setup: [],
};

/** Flags of Node. A runner has few young objects, and a small young generation saves 10 MB. */
const NODE_FLAGS = { 'agent-runner': ['--max-semi-space-size=2'], eas: ['--max-semi-space-size=2'] };

// Dependencies must not download anything, report usage or leave background processes.
const quietEnv = {
  PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'package.json'), // any existing file: `generate` never runs it
  PRISMA_SKIP_POSTINSTALL_GENERATE: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_SKIP_LOG_GROUPING: 'true',
  // Processes of the second start on need half of the processor time until they are ready.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'node-compile'),
};

class Refusal extends Error {}

const say = (line) => process.stderr.write(`[setup] ${line}\n`);
const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
const readOr = (file, fallback) => (existsSync(file) ? readFileSync(file, 'utf8') : fallback);

function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < MIN_NODE_MAJOR) {
    throw new Refusal(
      `Node ${process.versions.node} is too old: Node ${MIN_NODE_MAJOR} or newer is needed to install the rest.`,
    );
  }
}

/** Whether the packages that npm recorded as installed match the lock file: a developer's own `npm install` counts. */
function isInstalled(lockText) {
  const record = readOr(join(modules, '.package-lock.json'), '');
  if (record === '' || !existsSync(node24)) return false;
  const installed = JSON.parse(record).packages ?? {};
  return Object.entries(JSON.parse(lockText).packages ?? {}).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/')) return true;
    const found = installed[path];
    if (!found) return Boolean(wanted.optional || wanted.devOptional || wanted.peer);
    return found.version === wanted.version && found.link === wanted.link;
  });
}

function explainInstallFailure(output) {
  if (/ENOSPC|no space left/i.test(output)) return 'the disk is full (about 1 GB is needed).';
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|network/i.test(output)) {
    return 'the npm registry cannot be reached (no network, or a proxy is needed).';
  }
  if (/EACCES|EPERM|EROFS/.test(output)) return `this user may not write to ${modules}.`;
  if (/EUSAGE|not in sync/i.test(output))
    return 'package.json and package-lock.json do not fit together (run `npm install`).';
  if (/EBADENGINE/.test(output)) return 'a dependency refuses this version of Node.';
  return '`npm ci` failed; see its output above.';
}

function npmCommand() {
  const execPath = process.env.npm_execpath;
  if (execPath && /npm-cli\.c?js$/.test(execPath)) return [process.execPath, [execPath]];
  return ['npm', []];
}

/** Checked first: npm on a full disk takes minutes to fail, with varying messages. */
function checkDisk() {
  const { bavail, bsize } = statfsSync(root);
  const freeMb = Math.floor((bavail * bsize) / 1e6);
  const hasOldInstall = existsSync(join(modules, '.package-lock.json')); // `npm ci` removes it first
  if (freeMb >= NEEDED_MB || hasOldInstall) return;
  throw new Refusal(`The disk of ${root} has ${freeMb} MB free: the dependencies need about ${NEEDED_MB} MB.`);
}

async function install(lockText) {
  checkDisk();
  say('installing dependencies from package-lock.json (about 800 MB; a minute or two) ...');
  const startedAt = Date.now();
  const [command, prefix] = npmCommand();
  // node_modules/.bin/node vanishes during `npm ci`, so npm runs under the Node that runs this file only if that one is elsewhere.
  const isInside = process.execPath.startsWith(modules);
  const [file, args] = isInside ? ['npm', []] : [command, prefix];
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== join(modules, '.bin'))
    .join(delimiter);
  const child = spawn(
    file,
    [...args, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      env: { ...process.env, ...quietEnv, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const keep = (chunk) => {
    output = (output + chunk).slice(-20_000);
    process.stderr.write(chunk);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const forward = forwardSignals(child);
  const ticker = setInterval(
    () => say(`still installing (${Math.round((Date.now() - startedAt) / 1000)} s) ...`),
    15_000,
  );
  const code = await exitOf(child, 'npm');
  clearInterval(ticker);
  forward.stop();
  if (forward.last) process.exit(130);
  if (code !== 0) throw new Refusal(`Dependencies could not be installed: ${explainInstallFailure(output)}`);
  if (!existsSync(node24))
    throw new Refusal('Dependencies were installed, but Node 24 (package `node`) is not among them.');
  say(`installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
  writeFileSync(installStamp, sha(lockText, process.platform, process.arch));
}

async function ensureInstalled(lockText) {
  const wanted = sha(lockText, process.platform, process.arch);
  if (readOr(installStamp, '') === wanted && existsSync(node24)) return;
  if (isInstalled(lockText)) writeFileSync(installStamp, wanted);
  else await install(lockText);
}

function schemaFiles() {
  const folder = join(root, 'prisma', 'schema');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => join(folder, name));
}

function ensurePrismaClient() {
  const files = schemaFiles();
  if (files.length === 0) return say('no Prisma schema yet: client not generated');
  const version = readFileSync(join(modules, 'prisma', 'package.json'));
  const wanted = sha(
    ...files.map((file) => `${file}\n${readFileSync(file, 'utf8')}`),
    readOr(join(root, 'prisma.config.ts'), ''),
    version,
  );
  const generated = join(root, 'libs', 'shared', 'db', 'src', 'generated', 'client.ts');
  if (existsSync(generated) && readOr(prismaStamp, '') === wanted) return undefined;
  say('generating the Prisma client ...');
  const result = spawnSync(node24, [join(modules, 'prisma', 'build', 'index.js'), 'generate'], {
    cwd: root,
    env: { ...process.env, ...quietEnv },
    encoding: 'utf8',
  });
  if (result.status !== 0 || !existsSync(generated)) {
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
    throw new Refusal('The Prisma client could not be generated; see its output above.');
  }
  writeFileSync(prismaStamp, wanted);
  return undefined;
}

function runTool(what, args) {
  const result = spawnSync(node24, args, { cwd: root, env: { ...process.env, ...quietEnv }, encoding: 'utf8' });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  throw new Refusal(`${what} failed; see the output above.`);
}

/** The types of the dashboard's client and the values of enums, from the printed contract. */
function ensureClientTypes() {
  const contract = join(root, 'docs', 'openapi.json');
  const generator = join(modules, 'openapi-typescript');
  const options = ['--enum-values'];
  const wanted = sha(readFileSync(contract), readFileSync(join(generator, 'package.json')), ...options);
  const folder = join(dashboard, 'src', 'generated');
  const words = join(folder, 'words.ts');
  if (existsSync(words) && existsSync(join(folder, 'api.ts')) && readOr(join(folder, 'stamp'), '') === wanted) return;
  mkdirSync(folder, { recursive: true });
  runTool('Generating the types of the dashboard', [
    join(generator, 'bin', 'cli.js'),
    contract,
    '-o',
    join(folder, 'api.ts'),
    ...options,
  ]);
  writeFileSync(words, enumWords(JSON.parse(readFileSync(contract, 'utf8'))));
  writeFileSync(join(folder, 'stamp'), wanted);
}

/** The contract's descriptions of enum values, as a module. */
function enumWords({ components: { schemas } }) {
  const described = Object.entries(schemas).filter(([, schema]) => 'x-enumDescriptions' in schema);
  const words = Object.fromEntries(described.map(([name, schema]) => [name, schema['x-enumDescriptions']]));
  return `export const enumWords = ${JSON.stringify(words, null, 2)} as const;\n`;
}

function dashboardSources() {
  return readdirSync(dashboard, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.spec\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /^(src|index\.html|vite\.config\.ts)/.test(file.slice(dashboard.length + 1)))
    .filter((file) => !file.includes('/generated/') || file.endsWith('words.ts'))
    .sort();
}

/** Builds into a new folder and renames it: a system that runs from this folder never finds it empty. */
function ensureDashboard(lockText) {
  const parts = dashboardSources().flatMap((file) => [file.slice(dashboard.length), readFileSync(file)]);
  const wanted = sha(lockText, ...parts);
  const built = join(dashboard, 'dist');
  if (existsSync(join(built, 'index.html')) && readOr(join(built, 'stamp'), '') === wanted) return;
  say('building the dashboard ...');
  const fresh = join(dashboard, 'tmp', `dist-${process.pid}`);
  const vite = join(modules, 'vite', 'bin', 'vite.js');
  const target = ['--outDir', fresh, '--emptyOutDir', '--configLoader', 'native', '--logLevel', 'warn'];
  runTool('Building the dashboard', [vite, 'build', dashboard, ...target]);
  writeFileSync(join(fresh, 'stamp'), wanted);
  const old = `${fresh}-old`;
  if (existsSync(built)) renameSync(built, old);
  renameSync(fresh, built);
  rmSync(old, { recursive: true, force: true });
}

/** Passes signals on. A terminal's Ctrl-C reaches the child by itself as well, and npm repeats it: at most one of a kind a second. */
function forwardSignals(child) {
  const state = { last: undefined, stop: () => {} };
  const sentAt = {};
  const listeners = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const listener = () => {
      state.last = signal;
      if (Date.now() - (sentAt[signal] ?? 0) < 1000) return;
      sentAt[signal] = Date.now();
      child.kill(signal);
    };
    process.on(signal, listener);
    return [signal, listener];
  });
  state.stop = () => listeners.forEach(([signal, listener]) => process.off(signal, listener));
  return state;
}

function exitOf(child, name) {
  return new Promise((done, fail) => {
    child.once('error', (error) => fail(new Refusal(`${name} could not be started: ${error.message}.`)));
    child.once('close', (code, signal) =>
      done(signal ? ({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal] ?? 1) : code),
    );
  });
}

async function run(file, args, flags = []) {
  const target = join(root, file);
  if (!existsSync(target)) throw new Refusal(`${file} does not exist.`);
  const env = { ...process.env, ...quietEnv };
  const bin = join(modules, '.bin');
  if (!(env.PATH ?? '').split(delimiter).includes(bin)) env.PATH = `${bin}${delimiter}${env.PATH ?? ''}`;
  const nodeArgs = ['--disable-warning=ExperimentalWarning', ...flags, target, ...args];
  // From the second run on npm's PATH makes this Node 24 already: then it becomes the script, and no process waits in between.
  if (typeof process.execve === 'function' && process.execPath === realpathSync(node24)) {
    process.removeAllListeners('warning');
    process.chdir(root);
    process.execve(process.execPath, [process.execPath, ...nodeArgs], env);
  }
  const child = spawn(node24, nodeArgs, { cwd: root, env, stdio: 'inherit' });
  forwardSignals(child);
  process.exitCode = await exitOf(child, 'Node 24');
}

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const script = SCRIPTS[name];
  if (!script) throw new Refusal(`Unknown script "${name}"; known: ${Object.keys(SCRIPTS).join(', ')}.`);
  checkNode();
  try {
    mkdirSync(modules, { recursive: true });
    accessSync(modules, constants.R_OK | constants.X_OK);
    const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
    await ensureInstalled(lockText);
    ensurePrismaClient();
    ensureClientTypes();
    if (SERVING.includes(name)) ensureDashboard(lockText);
  } catch (error) {
    if (error?.code === 'ENOSPC') throw new Refusal('The disk is full.');
    if (error?.code === 'EACCES' || error?.code === 'EROFS')
      throw new Refusal(`This user may not write to ${error.path ?? root}.`);
    throw error;
  }
  const [file, ...first] = script;
  if (file) await run(file, [...first, ...args], NODE_FLAGS[name]);
}

main().catch((error) => {
  process.stderr.write(error instanceof Refusal ? `${error.message}\n` : `${error?.stack ?? error}\n`);
  process.exitCode = 1;
});
