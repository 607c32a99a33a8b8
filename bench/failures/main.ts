import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endDescendantsOnSignal } from '@eas/testing/process-tree';
import { backends } from '../harness/options.ts';
import { say } from '../harness/report.ts';

// The scenario `failures` on both back ends. Arguments are those of the bench, `--seconds` for one.

type Outcome = { passed: number; failed: number; skipped: number };

const lastLine = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;

function runOn(backend: string): Promise<Outcome> {
  const bench = join(import.meta.dirname, '../main.ts');
  const args = ['--disable-warning=ExperimentalWarning', bench, '--only', 'failures', '--backend', backend];
  const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  return new Promise((done) =>
    child.once('close', (code) => {
      const [, passed = '0', failed = '1', skipped = '0'] = lastLine.exec(output) ?? [];
      const numbers = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
      done({ ...numbers, failed: Math.max(numbers.failed, code === 0 ? 0 : 1) });
    }),
  );
}

endDescendantsOnSignal();
let [passed, failed, skipped] = [0, 0, 0];
for (const backend of backends) {
  const outcome = await runOn(backend);
  passed += outcome.passed;
  failed += outcome.failed;
  skipped += outcome.skipped;
}
say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (failed > 0) process.exitCode = 1;
