import { newMark } from '../command/marked-line.ts';
import { splitLines } from '../command/split-lines.ts';
import type { Ended } from '../command/process-group.ts';
import { type Command, startCommand } from '../command/start-command.ts';
import { handleLine, type LineHandling } from './handle-line.ts';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import { type LastWords, lastLines } from './last-call.ts';
import type { TaskFolder } from './task-folder.ts';

export type RunParts = {
  command: {
    line: string;
    env: Readonly<Record<string, string | undefined>>;
    graceSeconds: number;
    /** Its stdin ends after the task: for programs that read to the end before they begin. */
    closesStdin: boolean;
  };
  timeoutSeconds: number;
  keeper: LeaseKeeper;
  folder: TaskFolder;
  taskId: string;
  /** The first line that the command reads. */
  task: object;
  /** The runner ends: the command has to as well. */
  cut: AbortSignal;
  onAsked: LineHandling['onAsked'];
  onRunning: (command: Pick<Command, 'say'> | undefined) => void;
};

/** How a run of the command ended. `stopped`: it did not by itself. */
export type Run = {
  ended: Ended;
  words: LastWords;
  output: string[];
  errors: string[];
  stopped?: 'lost' | 'cut' | 'timeout';
};

/** Runs the command once and handles its output until it and all that it started is gone. */
export async function runCommand(parts: RunParts): Promise<Run> {
  const { command: settings, timeoutSeconds, keeper, folder, taskId, task, cut, onAsked, onRunning } = parts;
  const { line, graceSeconds } = settings;
  const mark = newMark();
  const env = { ...settings.env, TASK_ID: taskId, TASK_DIR: folder.path, SAY: mark };
  const command = startCommand({ line, folder: folder.work, env, graceSeconds });
  const timeout = new AbortController();
  const stopClock = countWork(keeper, timeoutSeconds * 1_000, () => timeout.abort());
  const ending = AbortSignal.any([keeper.lost, cut, timeout.signal]);
  ending.addEventListener('abort', () => command.kill(), { once: true });
  if (ending.aborted) command.kill();
  void command.say(task);
  if (settings.closesStdin) command.closeStdin();
  else onRunning(command);
  const [output, errors] = [lastLines(), lastLines()];
  const words: LastWords = {};
  const refuse = (said: string, error: object) => {
    folder.record(`refused: ${said}: ${JSON.stringify(error)}`);
    void command.say({ kind: 'refused', line: said, error });
  };
  const handling: LineHandling = { keeper, words, mark, ending, refuse, onAsked };
  try {
    const [ended] = await Promise.all([
      command.ended,
      eachLine(command.stdout, async (text) => {
        folder.record(text);
        if (!(await handleLine(handling, text))) output.add(text);
      }),
      eachLine(command.stderr, async (text) => {
        folder.record(text);
        errors.add(text);
      }),
    ]);
    const stopped = keeper.lost.aborted ? 'lost' : timeout.signal.aborted ? 'timeout' : cut.aborted ? 'cut' : undefined;
    return { ended, words, output: output.lines(), errors: errors.lines(), ...(stopped ? { stopped } : {}) };
  } finally {
    stopClock();
    onRunning(undefined);
  }
}

async function eachLine(stream: AsyncIterable<Buffer>, take: (line: string) => Promise<void>): Promise<void> {
  for await (const line of splitLines(stream)) await take(line);
}

/** Counts the time that the lease runs; time in which a person is waited for is nobody's fault. */
function countWork(keeper: LeaseKeeper, limitMs: number, onOver: () => void): () => void {
  const tickMs = Math.min(1_000, limitMs / 10);
  let workedMs = 0;
  const tick = setInterval(() => {
    if (keeper.state() === 'running') workedMs += tickMs;
    if (workedMs < limitMs) return;
    clearInterval(tick);
    onOver();
  }, tickMs);
  return () => clearInterval(tick);
}
