import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { StartError } from '@eas/core';

/** Of this process: where programs and certificates are. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The libpq variables for the parts of an address. */
const variables = { hostname: 'PGHOST', port: 'PGPORT', username: 'PGUSER', password: 'PGPASSWORD' } as const;

/** The address as libpq reads it from the environment: arguments can be seen by every user of the machine. */
export function connectionEnv(url: string): Record<string, string> {
  const address = new URL(url);
  const env: Record<string, string> = { PGDATABASE: decodeURIComponent(address.pathname.slice(1)) };
  for (const [part, name] of Object.entries(variables)) {
    const value = decodeURIComponent(address[part as keyof typeof variables]).replace(/^\[|\]$/g, '');
    if (value !== '') env[name] = value;
  }
  const sslMode = address.searchParams.get('sslmode');
  const rootCertificate = address.searchParams.get('sslrootcert');
  return { ...env, ...(sslMode && { PGSSLMODE: sslMode }), ...(rootCertificate && { PGSSLROOTCERT: rootCertificate }) };
}

/** Runs a program of Postgres; `output`: a file descriptor. Throws a StartError with its last line. */
export async function runProgram(
  file: string,
  args: string[],
  options: { url: string; env: Env; output?: number },
): Promise<void> {
  const env = { PATH: options.env['PATH'], HOME: options.env['HOME'], ...connectionEnv(options.url) };
  const child = spawn(file, args, { env, stdio: ['ignore', options.output ?? 'ignore', 'pipe'] });
  let lines = '';
  child.stderr?.on('data', (chunk: Buffer) => (lines = (lines + chunk.toString()).slice(-4_000)));
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (exit, signal) => resolve(exit ?? signal ?? 1));
  });
  if (code === 0) return;
  const errors = lines
    .trim()
    .split('\n')
    .filter((line) => /error|fatal/i.test(line));
  const last = errors[0] ?? lines.trim().split('\n').at(-1);
  throw new StartError(`${basename(file)} failed: ${(last || String(code)).replace(/^\S+: /, '').replace(/\.$/, '')}.`);
}
