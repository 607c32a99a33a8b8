import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export type DemoTenant = { slug: string; apiKey: string; remove(): Promise<void> };

/** By the operator's commands on DATA_DIR or DATABASE_URL: needs no key of the system in use, touches nothing of it. */
export async function makeDemoTenant(env: NodeJS.ProcessEnv): Promise<DemoTenant> {
  const slug = `demo-${Date.now().toString(36)}-${randomBytes(2).toString('hex')}`;
  const remove = async () => void (await command(env, ['tenant:delete', slug, '--yes']));
  await command(env, ['tenant:create', slug, 'Demo']);
  try {
    const output = await command(env, ['key:create', 'demo', '--tenant', slug, '--tier', 'enterprise']);
    const apiKey = /^api key (\S+)$/m.exec(output)?.[1];
    if (!apiKey) throw new Error('key:create printed no key');
    return { slug, apiKey, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Runs an operator's command; gives what it printed. Throws what it complained about. */
function command(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  const script = join(root, 'apps/standalone/src/commands/cmd.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: root,
    env,
    // A signal of the terminal is for the demo, which then removes the tenant.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, problem] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      if (code === 0) done(output);
      else fail(new Error(`${args.slice(0, 2).join(' ')}: ${problem.trim() || `exit code ${code}`}`));
    });
  });
}
