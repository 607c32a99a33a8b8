import { createWriteStream } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readJson } from '../read-json.ts';
import { writeJson } from '../write-json.ts';

/** For the runner's own user alone. A later attempt here finds what the last one left in `work`, and an empty inbox. */
export type TaskFolder = {
  path: string;
  work: string;
  /** Writes a JSON file below the folder; readers see all of it or nothing. */
  write(name: string, value: object): Promise<void>;
  /** The content of a JSON file; undefined where there is none. */
  read(name: string): Promise<unknown>;
  drop(name: string): Promise<void>;
  /** Appends a line to `output.log`. */
  record(line: string): void;
  close(): Promise<void>;
  remove(): Promise<void>;
};

/** What is kept of a command's output in one attempt. */
const maxOutputBytes = 16 * 1024 * 1024;
const [ownFolder, ownFile] = [0o700, 0o600];

export async function openTaskFolder(workspace: string, taskId: string): Promise<TaskFolder> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(taskId)) throw new Error(`${JSON.stringify(taskId)} cannot be a folder`);
  const path = resolve(workspace, taskId);
  const work = join(path, 'work');
  await mkdir(workspace, { recursive: true, mode: ownFolder });
  await rm(join(path, 'inbox'), { recursive: true, force: true });
  for (const folder of [path, work, join(path, 'inbox')]) {
    await mkdir(folder, { recursive: true, mode: ownFolder });
    await chmod(folder, ownFolder);
  }
  const output = createWriteStream(join(path, 'output.log'), { flags: 'a', mode: ownFile });
  // A full disk must not end the work: the output is a convenience.
  output.on('error', () => {});
  let written = 0;
  return {
    path,
    work,
    write: (name, value) => writeJson(join(path, name), value),
    read: (name) => readJson(join(path, name)),
    drop: (name) => rm(join(path, name), { force: true }),
    record(line) {
      written += Buffer.byteLength(line) + 1;
      if (written <= maxOutputBytes) output.write(`${line}\n`);
    },
    close: () => new Promise((done) => output.end(() => done())),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
