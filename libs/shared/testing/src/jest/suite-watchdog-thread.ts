// The thread of suite-watchdog.ts.
import { writeSync } from 'node:fs';
import { Session, type Debugger } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { descendantsOf, signalProcess } from '../systems/process-tree.ts';
import type { WatchedSuite, WatchMessage } from './suite-watchdog.ts';

/** Running code pauses at once, or after seconds on a busy machine; a waiting process runs none. */
const pauseMs = 10_000;
let timer: NodeJS.Timeout | undefined;
let runningTest = 'none of its tests';

parentPort?.on('message', (message: WatchMessage) => {
  if ('test' in message) {
    runningTest = `"${message.test}"`;
    return;
  }
  runningTest = 'none of its tests';
  if ('passed' in message) {
    timer?.refresh();
    return;
  }
  clearTimeout(timer);
  if ('file' in message) timer = setTimeout(() => void endSuite(message), message.limitMs);
});

async function endSuite({ file, limitMs }: WatchedSuite): Promise<void> {
  const where = await Promise.race([stackOfMainThread(), sleep(pauseMs)]).catch((error: unknown) => String(error));
  const state = where ?? '    no code is running: it waits for something that does not come';
  const title = `${file} has passed no test for ${limitMs / 1000} s and is ended, in ${runningTest}. Its code is at:`;
  writeSync(2, `\n${title}\n${state}\n`);
  for (const pid of [...descendantsOf(process.pid), process.pid]) signalProcess(pid, 'SIGKILL');
}

function stackOfMainThread(): Promise<string> {
  const session = new Session();
  session.connectToMainThread();
  const files = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => void files.set(params.scriptId, params.url));
  const lineOf = ({ functionName, location }: Debugger.CallFrame): string => {
    const file = files.get(location.scriptId)?.replace('file://', '');
    return `    at ${functionName || '<anonymous>'} (${file}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1})`;
  };
  return new Promise((resolve, reject) => {
    session.once('Debugger.paused', ({ params }) => resolve(params.callFrames.map(lineOf).join('\n')));
    session
      .post('Debugger.enable')
      .then(() => session.post('Debugger.pause'))
      .catch(reject);
  });
}
