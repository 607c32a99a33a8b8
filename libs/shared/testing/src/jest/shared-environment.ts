// Jest's `testEnvironment` for files that share their modules: the process itself, put back as it was after each file.
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Circus } from '@jest/types';
import { ModuleMocker } from 'jest-mock';
import { reportWaits } from './report-waits.ts';
import { type SuiteWatch, watchSuite } from './suite-watchdog.ts';

const { exit } = process;
const env = { ...process.env };

export default class SharedEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #file: string;
  readonly #watch: SuiteWatch;

  constructor({ projectConfig }: JestEnvironmentConfig, { testPath }: EnvironmentContext) {
    this.#file = testPath;
    const limitMs = Number(projectConfig.testEnvironmentOptions['suiteLimitMs']);
    this.#watch = watchSuite({ file: testPath, limitMs });
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext(): null {
    return null;
  }

  setup(): Promise<void> {
    return Promise.resolve();
  }

  handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent): Promise<void> {
    if (event.name === 'test_start') this.#watch.beginTest(event.test.name);
    if (event.name === 'test_done' && event.test.errors.length === 0) this.#watch.passTest();
    return reportWaits(event, this.#file);
  }

  teardown(): Promise<void> {
    this.#watch.end();
    this.fakeTimersModern.useRealTimers();
    this.moduleMocker.restoreAllMocks();
    process.exit = exit; // jest-runner wraps it once more for each file
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    return Promise.resolve();
  }
}
