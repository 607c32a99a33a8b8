import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { blocksOf, type Block } from './guide-blocks.ts';
import { differenceOf } from './same-output.ts';

const root = resolve(import.meta.dirname, '../..');
/** For hangs alone. */
const pageTimeoutMs = 240_000;

export type Substitutions = Readonly<Record<string, string>>;
type Session = { shell: string; substitutions: Substitutions; env: NodeJS.ProcessEnv };

/** In one shell. Returns a line for each block that failed or printed something else; a failed command ends the page. */
export async function runPage(file: string, session: Session): Promise<string[]> {
  const blocks = readBlocks(file, session.substitutions).filter(({ mode }) => mode === 'run' || mode === 'fails');
  const folder = mkdtempSync(join(tmpdir(), 'eas-guide-'));
  try {
    writeFileSync(join(folder, 'session'), scriptOf(blocks, folder));
    const isEnded = await runShell(join(folder, 'session'), session);
    return findingsOf(blocks, folder, isEnded).map((finding) => `${session.shell} ${file}${finding}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function readBlocks(file: string, substitutions: Substitutions): Block[] {
  let page = readFileSync(resolve(root, file), 'utf8');
  for (const [said, meant] of Object.entries(substitutions)) page = page.replaceAll(said, meant);
  return blocksOf(page);
}

function scriptOf(blocks: readonly Block[], folder: string): string {
  const lines = blocks.map(({ commands, mode }, index) => {
    const path = join(folder, String(index));
    writeFileSync(`${path}.sh`, commands);
    const run = `. ${path}.sh > ${path}.out 2> ${path}.err`;
    return `${mode === 'fails' ? `if ${run}; then exit 1; fi` : run}\n: > ${path}.done\n`;
  });
  return `set -e\n${lines.join('')}`;
}

/** True if the shell ended by itself. What it left running in the background ends with it. */
function runShell(script: string, { shell, env }: Session): Promise<boolean> {
  const child = spawn(shell, [script], { cwd: root, env, stdio: 'ignore', detached: true });
  const end = (): void => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // nothing of it is left
    }
  };
  return new Promise((done, fail) => {
    const timer = setTimeout(end, pageTimeoutMs);
    child.once('error', fail);
    child.once('exit', (_code, signal) => {
      clearTimeout(timer);
      end();
      done(signal === null);
    });
  });
}

function findingsOf(blocks: readonly Block[], folder: string, isEnded: boolean): string[] {
  const findings: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const read = (ending: string): string => {
      const path = join(folder, `${index}.${ending}`);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    const [output, location] = [read('out'), `:${block.line}`];
    const said = `\n${output}${read('err')}`.slice(0, 2_000).trimEnd();
    if (!existsSync(join(folder, `${index}.done`))) {
      const what = isEnded ? (block.mode === 'fails' ? 'did not fail' : 'failed') : 'did not end in time';
      return [...findings, `${location} ${what}${said}`];
    }
    const difference = block.shown && differenceOf(block.shown.kind, block.shown.text, output);
    if (difference) findings.push(`${location} ${difference}${said}`);
  }
  return findings;
}
