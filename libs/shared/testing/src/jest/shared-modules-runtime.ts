// Jest's `runtime`: test files are modules of Node itself, not of a vm context of their own. What they import is loaded once for
// all the files that a worker runs (decision 202); the file itself is evaluated each time.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { JestEnvironment } from '@jest/environment';
import type { Config } from '@jest/types';
import { registerClosings, setSuiteGlobals, type SuiteGlobals } from '../suite-globals.ts';

const require = createRequire(import.meta.url);
const suiteGlobals = new URL('../suite-globals.ts', import.meta.url).href;

// The package itself only throws: in a vm context Jest puts its own module in its place.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === '@jest/globals' ? { url: suiteGlobals, shortCircuit: true } : nextResolve(specifier, context),
});

let evaluations = 0;

/**
 * The members that jest-runner and jest-circus call; a new member of a newer Jest fails the first test that uses it.
 */
export default class SharedModulesRuntime {
  readonly #environment: JestEnvironment;

  constructor(_config: Config.ProjectConfig, environment: JestEnvironment) {
    this.#environment = environment;
  }

  /** A new framework for each file, without the hooks and tests of the previous one. */
  requireInternalModule(file: string): unknown {
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    delete require.cache[file];
    return require(file);
  }

  setGlobalsForRuntime(globals: Omit<SuiteGlobals, 'jest'>): void {
    setSuiteGlobals(globals, this.#environment);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(file: string): Promise<unknown> {
    evaluations += 1;
    const evaluated: unknown = await import(`${pathToFileURL(file).href}?evaluation=${evaluations}`);
    registerClosings();
    return evaluated;
  }

  requireModule(file: string): unknown {
    return require(file);
  }

  getSourceMaps(): null {
    return null;
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}
