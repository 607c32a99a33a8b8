import { resolve } from 'node:path';
import type { Agent } from '../agent/agent.ts';
import { acpAgent } from './acp-agent.ts';
import type { AcpSettings } from './live-agent.ts';

/** The command of the agent that is played. */
export const doubleLine = (script: string, ...flags: readonly string[]): string =>
  ['exec', process.execPath, resolve(import.meta.dirname, 'double.fixture.ts'), script, ...flags].join(' ');

export const double = (script: string, flags: readonly string[] = [], settings: Partial<AcpSettings> = {}): Agent =>
  acpAgent({
    line: doubleLine(script, ...flags),
    env: process.env,
    graceSeconds: 1,
    mode: 'ask',
    deny: [],
    ...settings,
  });
