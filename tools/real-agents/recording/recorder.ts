// Runs between the runner and an agent: passes each line on, and records who sent which message, and what the
// agent wrote to its file before it. `node recorder.ts RECORDING PROGRAM [ARGUMENT]…`
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

type Side = 'client' | 'agent';

/** The file that tasks of the simulated model write. */
const workFile = 'hello.txt';
const readWork = () => (existsSync(workFile) ? readFileSync(workFile, 'utf8') : undefined);

const [recording = '', program = '', ...args] = process.argv.slice(2);
let before = readWork();

const record = (line: object): void => appendFileSync(recording, `${JSON.stringify(line)}\n`);

function recordWork(): void {
  const text = readWork();
  if (text !== undefined && text !== before) record({ from: 'agent', file: workFile, text });
  before = text;
}

/** Undefined for a line that an agent prints outside of the protocol. */
function messageOf(line: string): object | undefined {
  try {
    return line.startsWith('{') ? (JSON.parse(line) as object) : undefined;
  } catch {
    return undefined;
  }
}

function pass(from: Side, input: Readable, output: Writable): void {
  output.on('error', () => {});
  const lines = createInterface({ input });
  lines.on('line', (line) => {
    const message = messageOf(line);
    if (message && from === 'agent') recordWork();
    if (message) record({ from, message });
    output.write(`${line}\n`);
  });
  lines.on('close', () => output.end());
}

const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
pass('client', process.stdin, child.stdin);
pass('agent', child.stdout, process.stdout);
child.once('exit', (code, signal) => {
  process.stdin.destroy();
  if (signal) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
});
