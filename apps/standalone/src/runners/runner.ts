import type { LocalRunner, PlannedRunner } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import { keepAlive, type KeepAliveOptions } from '../supervision/keep-alive.ts';
import type { SpawnedApp } from '../supervision/spawn-app.ts';

/** A runner that reported what is missing waits until a person retries it. */
const missingRetryMs = 300_000;

export type RunnerParts = {
  /** `onReady`: called when it begins to claim. */
  spawn(onReady: () => void): SpawnedApp;
  readLog(): string[];
  onDeath: KeepAliveOptions['onDeath'];
};

export type Runner = {
  planned: PlannedRunner;
  show(): LocalRunner;
  retry(): Promise<void>;
  stop(graceMs: number): Promise<void>;
};

/** Keeps a runner of a coding agent running, and tracks its state. */
export function startRunner(planned: PlannedRunner, { spawn, readLog, onDeath }: RunnerParts): Runner {
  const { key_id: _keyId, ...shown } = planned;
  let state: LocalRunner['state'] = 'starting';
  let since = new Date();
  let problem: string | null = null;
  let current: SpawnedApp | undefined;
  const become = (next: LocalRunner['state']) => {
    if (next !== state) since = new Date();
    state = next;
  };
  /** It ended by itself before it worked: its last line says why. */
  const isMissingSomething = () => state === 'starting' && typeof current?.exitCode() === 'number';

  const kept = keepAlive({
    name: `runner-${planned.agent_id}`,
    start: async () => {
      become('starting');
      current = undefined;
      current = spawn(() => {
        if (state !== 'starting') return;
        problem = null;
        become('running');
      });
      return current;
    },
    delayMs: () => (isMissingSomething() ? missingRetryMs : undefined),
    onDeath: (death) => {
      const isMissing = isMissingSomething();
      problem = (isMissing ? readLog().at(-1) : undefined) ?? `It ${death.reason}.`;
      become(isMissing ? 'failed' : 'starting');
      onDeath({ ...death, reason: isMissing ? `did not start: ${problem}` : death.reason });
    },
  });
  return {
    planned,
    show: () => ({ ...shown, state, since: formatTimestamp(since), problem, log: readLog() }),
    async retry() {
      if (state !== 'failed') return;
      become('starting');
      await kept.restart(0);
    },
    async stop(graceMs) {
      if (state === 'stopped') return;
      become('stopping');
      await kept.stop(graceMs);
      become('stopped');
    },
  };
}
