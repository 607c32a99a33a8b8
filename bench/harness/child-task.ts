import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const profileFolder = process.env['BENCH_PROFILE'];
/** With BENCH_PROFILE=<folder> every process that the bench starts leaves a CPU profile there. */
export const profileFlags = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [];

/** Starts a file of this folder as a process of its own and sends it a task, which `doAsChild` takes there. */
export function startChild(file: string, task: object): ChildProcess {
  const child = fork(join(import.meta.dirname, file), {
    execArgv: ['--disable-warning=ExperimentalWarning', ...profileFlags],
  });
  child.send(task);
  return child;
}

/** Rejects when the child ends before it sends one. */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const received = new AbortController();
  const ended = once(child, 'exit', received).then(([code]) =>
    Promise.reject(new Error(`the child ended with exit code ${code}`)),
  );
  // The listeners of a wait that is over go.
  ended.catch(() => {});
  try {
    const [message] = (await Promise.race([once(child, 'message', received), ended])) as [Message];
    return message;
  } finally {
    received.abort();
  }
}

export function runInChild<Result>(file: string, task: object): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = startChild(file, task);
    let result: Result | undefined;
    child.once('message', (message) => (result = message as Result));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (result) resolve(result);
      else reject(new Error(`${file} ended with exit code ${code}`));
    });
  });
}

/** Does the task that the parent sends, responds with the result and ends; ends too when the parent is gone. */
export function doAsChild<Task>(run: (task: Task) => Promise<unknown>): void {
  // The result is no longer awaited.
  process.once('disconnect', () => process.exit(1));
  process.once('message', (task) => {
    run(task as Task).then(
      (result) => process.send?.(result, () => process.exit(0)),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
