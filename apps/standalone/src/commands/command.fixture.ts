import { jest } from '@jest/globals';
import { type Config, loadConfig } from '../config.ts';
import { commands } from './commands.ts';
import type { Finding } from '../diagnosis/finding.ts';
import { runCommand } from './run-command.ts';

export type Ran = { code: number; out: string; err: string };

/** Runs a command as from a terminal, with these settings over those of the environment. */
export async function runFromTerminal(line: string[], config: Partial<Config>): Promise<Ran> {
  const [name = '', ...args] = line;
  const command = commands[name];
  if (!command) throw new Error(`unknown command ${name}`);
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  try {
    const code = await runCommand(name, command, args, () => ({ ...loadConfig(), ...config }));
    return { code, out: written.stdout, err: written.stderr };
  } finally {
    spies.forEach((spy) => spy.mockRestore());
  }
}

/** What `doctor` finds. */
export async function examineWithDoctor(config: Partial<Config>): Promise<Ran & { findings: Finding[] }> {
  const ran = await runFromTerminal(['doctor', '--json'], config);
  return { ...ran, findings: JSON.parse(ran.out) as Finding[] };
}

/** The level of the last finding of each check. */
export const levelsOf = (findings: readonly Finding[]): Record<string, string> =>
  Object.fromEntries(findings.map(({ check, level }) => [check, level]));
