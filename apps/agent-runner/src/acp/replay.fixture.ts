// The agent's side of a recording, replayed to another client. `node replay.fixture.ts gemini-commit`
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { type Message, readRecording, type Recorded } from './recordings.fixture.ts';

const client = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
/** Ids of the client's requests, as they were recorded and as they are. */
const ids = new Map<unknown, unknown>();

const shown = ({ method, id }: Message): string => method ?? `the response to the request ${String(id)}`;

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

async function nextOfClient(): Promise<Message> {
  const { value, done } = await client.next();
  return done ? process.exit(0) : (JSON.parse(value) as Message);
}

async function expectOfClient(recorded: Message): Promise<void> {
  const message = await nextOfClient();
  const isSame = message.method === recorded.method && (message.method !== undefined || message.id === recorded.id);
  if (!isSame) fail(`The client sent ${shown(message)}, and the recording has ${shown(recorded)}.`);
  if (message.method !== undefined) return void ids.set(recorded.id, message.id);
  const [is, was] = [message, recorded].map(({ result, error }) => result ?? { error });
  if (!isDeepStrictEqual(is, was))
    fail(`The client answered ${JSON.stringify(is)}, and the recording has ${JSON.stringify(was)}.`);
}

function say(message: Message): void {
  const isResponse = message.method === undefined;
  const said = isResponse ? { ...message, id: ids.get(message.id) } : message;
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

/** The messages sent and received by one process of the agent: each process begins with `initialize`. */
function partOf(lines: readonly Recorded[], number: number): readonly Recorded[] {
  const starts = lines.flatMap((line, at) => ('message' in line && line.message.method === 'initialize' ? [at] : []));
  const start = starts[number];
  return start === undefined
    ? fail('The agent was started more often than in the recording.')
    : lines.slice(start, starts[number + 1]);
}

/** How often the agent of this task was started before. */
function countStart(): number {
  const file = `${process.env['TASK_DIR'] ?? '.'}/replayed`;
  const before = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  writeFileSync(file, String(before + 1));
  return before;
}

const { lines } = readRecording(process.argv[2] ?? '');
for (const line of partOf(lines, countStart())) {
  if ('file' in line) writeFileSync(line.file, line.text);
  else if (line.from === 'agent') say(line.message);
  else await expectOfClient(line.message);
}
fail(`The client sent ${shown(await nextOfClient())}, and the recording has ended.`);
