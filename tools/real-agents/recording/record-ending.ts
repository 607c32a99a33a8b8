// apps/agent-runner/src/acp/recorded: what an agent and the runner said on the way to an ending, and how the task ended.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packagesFolder, triedAgents } from '../agents.ts';
import type { Json } from '../api.ts';
import type { Arena, Work } from '../arena.ts';
import type { Ending } from '../ways.ts';
import { stableForm } from './stable-form.ts';
import { spokenFile } from './wrap-program.ts';

export const recordedEndings: readonly string[] = ['commit', 'denied', 'question', 'form'];

const root = resolve(packagesFolder, '../..');
const recordedFolder = join(root, 'apps/agent-runner/src/acp/recorded');

/** Has an agent come to an ending, and saves what was said. */
export async function recordEnding(arena: Arena, ending: Ending): Promise<string> {
  const { agent } = arena;
  const used: Used = { flags: [] };
  const text = await ending.run(watched(arena, used), ending);
  if (!used.work) throw new Error('The ending had no task.');
  const what = triedAgents.find(({ id }) => id === agent)?.what;
  const { flags } = used;
  const head = { agent, package: what, ending: ending.name, flags, ...(await endOf(arena, used.work)) };
  save(`${agent}-${ending.name}`, [head, ...spokenIn(arena, used.work)]);
  return text;
}

/** The last task of an ending, and the flags of its runner. */
type Used = { work?: Work; flags: readonly string[] };

const watched = (arena: Arena, used: Used): Arena => ({
  ...arena,
  addWork: async (...args) => (used.work = await arena.addWork(...args)),
  startRunner(work, flags = []) {
    used.flags = flags;
    return arena.startRunner(work, flags);
  },
});

/** What the runner reported. */
async function endOf({ get }: Arena, { task: { id } }: Work) {
  const { summary } = await get(`/v1/tasks/${id}`);
  const { data: entries } = await get(`/v1/tasks/${id}/timeline?limit=100`);
  const failure = entries.find(({ from, to }: Json) => from === 'in_progress' && ['failed', 'open'].includes(to));
  const { data: inputs } = await get(`/v1/inputs?task_id=${id}`);
  const asked = inputs.map(({ kind, prompt, answer, content }: Json) => ({
    kind,
    prompt,
    ...(content ? { content } : { answer }),
  }));
  return { asked, summary, reason: failure?.reason ?? null };
}

function spokenIn({ folder }: Arena, work: Work): object[] {
  const stable = stableForm([
    [join(work.files(), 'work'), '/recorded'],
    [folder, '/recorded'],
    [root, '/repository'],
  ]);
  const lines = readFileSync(join(work.files(), spokenFile), 'utf8').trim().split('\n');
  return lines.map((line) => stable(JSON.parse(line) as object));
}

function save(name: string, lines: readonly object[]): void {
  mkdirSync(recordedFolder, { recursive: true });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(recordedFolder, `${name}.jsonl`), text);
}
