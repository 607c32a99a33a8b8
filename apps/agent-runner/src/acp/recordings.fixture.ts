// Messages between real agents and the runner, recorded by `npm run test:real-agents -- --record`.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export type Message = {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
};
/** A message, or what the agent wrote to a file of its working folder before its next message. */
export type Recorded = { from: 'client' | 'agent'; message: Message } | { from: 'agent'; file: string; text: string };

/** `flags`: of the runner. The last three are what it reported of the task. */
type Head = {
  agent: string;
  package: string;
  ending: string;
  flags: string[];
  asked: { kind: string; prompt: string; answer?: string; content?: Record<string, string> }[];
  summary: string | null;
  reason: string | null;
};
export type Recording = { head: Head; lines: Recorded[] };

const folder = join(import.meta.dirname, 'recorded');
export const recordings: readonly string[] = globSync('*.jsonl', { cwd: folder })
  .map((file) => basename(file, '.jsonl'))
  .sort();

export function readRecording(name: string): Recording {
  const [head = '', ...lines] = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return { head: JSON.parse(head) as Head, lines: lines.map((line) => JSON.parse(line) as Recorded) };
}

/** The mode that the runner gave the agent. */
export function modeOf(lines: readonly Recorded[]): string | undefined {
  const requests = lines.flatMap((line) => ('message' in line && line.from === 'client' ? [line.message] : []));
  return requests.find(({ method }) => method === 'session/set_mode')?.params?.['modeId'] as string | undefined;
}
