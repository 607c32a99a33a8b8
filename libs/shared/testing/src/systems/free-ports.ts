import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess } from './process-tree.ts';

/** Below the kernel's range for outgoing connections. */
const lowest = 20_000;
const blockSize = 10;
const blockCount = 1_200;
const folder = join(tmpdir(), `eas-ports-${process.getuid?.() ?? ''}`);
const spare: number[] = [];

/**
 * The first of this many free ports in a row. They are reserved for this process as long as it lives: no other caller
 * takes them before they are used, or during a restart of what uses them.
 */
export async function findFreePorts(count: number): Promise<number> {
  if (count > blockSize) throw new Error(`at most ${blockSize} ports in a row are found`);
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const first = lowest + blockSize * Math.floor(Math.random() * blockCount);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if (takeBlock(first) && (await Promise.all(ports.map(isFree))).every(Boolean)) return first;
    await sleep(10);
  }
  throw new Error(`There are no ${count} free ports in a row.`);
}

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = spare.pop();
    if (port !== undefined && (await isFree(port))) return port;
    if (port !== undefined) continue;
    const first = await findFreePorts(blockSize);
    spare.push(...Array.from({ length: blockSize }, (_, index) => first + index));
  }
}

/** False when another process has it, or this one reserved it before. */
function takeBlock(first: number): boolean {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, String(first));
  if (!isOwned(file)) rmSync(file, { force: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function isOwned(file: string): boolean {
  try {
    const owner = readFileSync(file, 'utf8');
    // Empty: another process is just reserving it.
    return owner === '' || signalProcess(Number(owner), 0);
  } catch {
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
