import type { ProcessParts } from './run-process.ts';
import { startLoop } from './start-loop.ts';

const minuteMs = 60_000;

/** Records what was gathered in memory each minute, and once more when the process ends. */
export function recordEachMinute(
  name: string,
  record: () => Promise<void>,
  { logger, onShutdown }: Pick<ProcessParts<unknown>, 'logger' | 'onShutdown'>,
): void {
  const loop = startLoop({ name, everyMs: minuteMs, run: record, logger });
  onShutdown(name, async () => {
    await loop.stop();
    await record();
  });
}
