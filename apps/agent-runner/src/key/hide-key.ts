import { closeSync, readFileSync } from 'node:fs';
import { modelKeyNames } from './model-keys.ts';
import { isGitToken, isServerVariable } from './split-env.ts';

/** The descriptor that passes secrets to the runner; not 3, which a parent process may use. */
const modelKeysFd = 9;
const fdVariable = 'EAS_MODEL_KEYS_FD';

const modelKeys: readonly string[] = modelKeyNames;
const isHandedOver = (name: string): boolean => modelKeys.includes(name) || isServerVariable(name) || isGitToken(name);

/** Puts secrets into pipes, takes them out of the environment, and becomes the program again. */
function handOver(hasApiKey: boolean, names: readonly string[]): string {
  const lines = names.map((name) => `${name}=$${name}`).join('\n');
  return [
    ...(hasApiKey ? ['exec 3<<END\n$API_KEY\nEND\nunset API_KEY'] : []),
    ...(names.length > 0 ? [`exec ${modelKeysFd}<<END\n${lines}\nEND\nunset ${names.join(' ')}`] : []),
    ...(names.length > 0 ? [`export ${fdVariable}=${modelKeysFd}`] : []),
    `exec "$@"${hasApiKey ? ' --key-fd 3' : ''}`,
  ].join('\n');
}

/**
 * Restarts this process, under the same id, without API_KEY, keys of model providers, tokens of git and variables of MCP servers: the
 * environment of its start stays readable for every program of its user, the agent among them. Returns when there is
 * nothing to hide, or where the process cannot be restarted: before Node.js 23.11, and without API_KEY in a child that
 * talks with its parent.
 */
export function hideKeys(env: NodeJS.ProcessEnv, isChannelOpen: boolean): void {
  const hasApiKey = env['API_KEY'] !== undefined;
  // Passed values are read by lines.
  const names = Object.keys(env).filter((name) => isHandedOver(name) && !env[name]?.includes('\n'));
  if (!hasApiKey && (names.length === 0 || isChannelOpen)) return;
  const self = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.('/bin/sh', ['sh', '-c', handOver(hasApiKey, names), 'agent-runner', ...self], env);
}

/** The environment with the passed values. The pipe can be read once. */
export function withHandedKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [fdVariable]: fd, ...rest } = env;
  if (fd === undefined) return env;
  const text = readFileSync(Number(fd), 'utf8');
  closeSync(Number(fd));
  const lines = text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return { ...rest, ...Object.fromEntries(lines.filter(([name = '']) => isHandedOver(name))) };
}

/** This process, and those above it, whose environment still holds the key, as a command could read it there. Linux alone. */
export function processesThatShow(key: string): string[] {
  const holders: string[] = [];
  for (let pid = process.pid; pid > 1;) {
    try {
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      if (isShownBy(pid, key)) holders.push(`${name} (${pid})`);
      pid = Number(parent ?? 0);
    } catch {
      break;
    }
  }
  return holders;
}

function isShownBy(pid: number, key: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(key);
  } catch {
    return false;
  }
}
