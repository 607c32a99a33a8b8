import { spawnSync } from 'node:child_process';
import type { Account } from '../account/account.ts';
import { createApi } from '../api/api.ts';
import { checkKey } from '../api/check-key.ts';
import { type Preset, presets } from '../presets/presets.ts';
import type { Env } from '../key/env.ts';
import { probePreset } from './probe-preset.ts';

/** One thing that a worker needs. `isNeeded`: without it none can begin. */
export type Finding = { what: string; isGood: boolean; isNeeded: boolean };

type Parts = { account: () => Promise<Account>; env: Env };

/** What is there and what is missing for a coding agent to work here; without a name, for any of them. */
export async function examine(id: string | undefined, { account, env }: Parts): Promise<Finding[]> {
  const wanted = presets.filter((preset) => id === undefined || preset.id === id);
  const agents = await Promise.all(wanted.map((preset) => examineAgent(preset, env)));
  const isOneNeeded = id !== undefined || !agents.some(({ isGood }) => isGood);
  return [
    await examineService(account),
    examineGit(env),
    ...agents.map((agent) => ({ ...agent, isNeeded: isOneNeeded })),
  ];
}

const serviceMs = 5_000;

async function examineService(account: () => Promise<Account>): Promise<Finding> {
  const finding = (what: string, isGood: boolean): Finding => ({ what, isGood, isNeeded: true });
  try {
    const { url, apiKey } = await account();
    const api = createApi({ baseUrl: url, apiKey, log: () => {}, maxTries: 2 });
    const key = await checkKey(api, AbortSignal.timeout(serviceMs));
    if (key.kind !== 'refused') return finding(`${url} takes the key`, true);
    const { status, error } = key.response;
    if (status === 401) return finding(`${url} does not take the key. Run: eas login ${url}`, false);
    return finding(`${url}: ${error?.message}.`, false);
  } catch (error) {
    return finding((error as Error).message, false);
  }
}

function examineGit(env: Env): Finding {
  const { stdout, error } = spawnSync('git', ['--version'], { env, encoding: 'utf8', timeout: 5_000 });
  if (error) return { what: 'git is not on PATH. Tasks of projects need it.', isGood: false, isNeeded: true };
  return { what: stdout.trim(), isGood: true, isNeeded: true };
}

async function examineAgent(preset: Preset, env: Env): Promise<Omit<Finding, 'isNeeded'>> {
  try {
    const version = await probePreset(preset, env);
    return { what: `${preset.title} ${version} is ready: eas agent start ${preset.id} --role rd`, isGood: true };
  } catch (error) {
    return { what: (error as Error).message, isGood: false };
  }
}
