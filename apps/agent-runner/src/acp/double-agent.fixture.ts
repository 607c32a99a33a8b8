import { resolve } from 'node:path';
import type { Agent } from '../agent/agent.ts';
import { acpAgent } from './acp-agent.ts';
import type { AcpSettings } from './live-agent.ts';

const lineOf = (file: string, args: readonly string[]): string =>
  ['exec', process.execPath, resolve(import.meta.dirname, file), ...args].join(' ');

const played = (line: string, settings: Partial<AcpSettings>): Agent =>
  acpAgent({ line, env: process.env, graceSeconds: 1, mode: 'ask', deny: [], answerSeconds: 120, ...settings });

/** The command of the simulated agent. */
export const doubleLine = (script: string, ...flags: readonly string[]): string =>
  lineOf('double.fixture.ts', [script, ...flags]);

export const double = (script: string, flags: readonly string[] = [], settings: Partial<AcpSettings> = {}): Agent =>
  played(doubleLine(script, ...flags), settings);

/** A real agent, as it was recorded. */
export const recordedAgent = (recording: string, settings: Partial<AcpSettings>): Agent =>
  played(lineOf('replay.fixture.ts', [recording]), settings);
