// `npm run demo:agents [agent]`: a real coding agent works on a repository, with a model that is played: no key, no cost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startOwnSystem } from '@eas/testing/own-system';
import { endDescendantsOnSignal } from '@eas/testing/process-tree';
import { installPackages } from '../../install-packages.ts';
import { type AgentId, findAgent } from '../agents.ts';
import { createArena } from '../arena.ts';
import { startModelServer } from '../model/server.ts';
import { play, say } from './story.ts';

const bin = join(import.meta.dirname, 'node_modules', '.bin');

/** The agent that is wanted, or one that is there; where there is none, the smallest of them is installed here. */
async function chooseAgent(wanted: string | undefined): Promise<AgentId> {
  const found = findAgent(wanted, [bin, process.env['PATH'] ?? ''].join(delimiter));
  if (found) return found;
  if (wanted !== undefined && wanted !== 'gemini') throw new Error(`${wanted} is not on PATH.`);
  await installPackages({ folder: import.meta.dirname, what: 'Gemini CLI (100 MB; a few seconds)' }, say);
  return 'gemini';
}

async function main(): Promise<void> {
  const agent = await chooseAgent(process.argv[2]);
  say('a system of its own is started; its data is thrown away at the end');
  const system = await startOwnSystem(process.env);
  endDescendantsOnSignal(() => system.stop());
  const folder = mkdtempSync(join(tmpdir(), 'demo-agents-'));
  const model = await startModelServer();
  const arena = createArena({ system, folder, agent, model, bins: [bin] });
  try {
    const expectations = await play(arena);
    const failed = expectations.filter(({ isMet }) => !isMet);
    for (const { what, found } of failed) say(`NOT as expected: ${what}; found ${found}`);
    console.log(`${expectations.length - failed.length} passed, ${failed.length} failed, 0 skipped`);
    process.exitCode = failed.length === 0 ? 0 : 1;
  } finally {
    await arena.end();
    await model.close();
    await system.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main().catch((error: unknown) => {
  console.error(`the demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
