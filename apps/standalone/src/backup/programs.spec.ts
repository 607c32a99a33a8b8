import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { findProgram } from './find-program.ts';
import { connectionEnv, runProgram } from './run-program.ts';

const folders = [90, 91, 93].map((major) => {
  const folder = mkdtempSync(join(tmpdir(), `eas-programs-${major}-`));
  const file = join(folder, 'pg_dump');
  const script = `#!/bin/sh\ncase "$1" in --version) echo "pg_dump (PostgreSQL) ${major}.2";; *) echo "pg_dump: error: no such database." >&2; exit 1;; esac\n`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return folder;
});
const path = folders.join(':');
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

describe('a program of Postgres', () => {
  it('is the oldest that is not older than the server', () => {
    expect(findProgram('pg_dump', 91, path)).toEqual({ file: join(folders[1] ?? '', 'pg_dump'), major: 91 });
    expect(findProgram('pg_dump', 92, path).major).toBe(93);
  });

  it('is asked for in one sentence when there is none', () => {
    expect(() => findProgram('pg_dump', 94, path)).toThrow(
      /^pg_dump of Postgres 94 or newer is needed \(found: .*90, 91, 93\)/,
    );
    expect(() => findProgram('pg_nothing', 1, path)).toThrow(/none was found/);
  });

  it('gets the address by its environment, the password never as an argument', () => {
    expect(connectionEnv('postgresql://u%40x:p%3Aq@[::1]:5433/my%20db?sslmode=require')).toEqual({
      PGDATABASE: 'my db',
      PGHOST: '::1',
      PGPORT: '5433',
      PGUSER: 'u@x',
      PGPASSWORD: 'p:q',
      PGSSLMODE: 'require',
    });
  });

  it('that fails is explained by what it said', async () => {
    const { file } = findProgram('pg_dump', 90, path);
    await expect(runProgram(file, ['-x'], { url: 'postgresql://h/d', env: {} })).rejects.toThrow(
      'pg_dump failed: error: no such database.',
    );
  });
});
