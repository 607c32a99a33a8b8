// What `@jest/globals` is in a test: always that of the file that runs, though helpers import it only once.
import type { JestEnvironment } from '@jest/environment';
import type * as jestGlobals from '@jest/globals';

export type SuiteGlobals = Pick<
  typeof jestGlobals,
  'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'it' | 'jest' | 'test'
>;

let current: SuiteGlobals | undefined;
let closings: (() => Promise<void>)[] = [];

/** Called once a file, before it is evaluated. */
export function setSuiteGlobals(globals: Omit<SuiteGlobals, 'jest'>, environment: JestEnvironment): void {
  current = { ...globals, jest: jestObjectOf(environment) };
  closings = [];
}

/** As afterAll, but after all others of the file: for what they work with. Of several the one registered last runs first. */
export const afterAllOthers = (close: () => Promise<void>): void => void closings.unshift(close);

/** Called when a file has been evaluated. */
export function registerClosings(): void {
  for (const close of closings.splice(0)) afterAll(close);
}

/** The part of Jest's object that tests here use: spies and fake timers, no mocked modules. */
function jestObjectOf({ moduleMocker, fakeTimersModern }: JestEnvironment): SuiteGlobals['jest'] {
  if (!moduleMocker || !fakeTimersModern) throw new Error('The test environment has no spies or no fake timers.');
  return {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    useFakeTimers: fakeTimersModern.useFakeTimers.bind(fakeTimersModern),
    useRealTimers: fakeTimersModern.useRealTimers.bind(fakeTimersModern),
    advanceTimersByTimeAsync: fakeTimersModern.advanceTimersByTimeAsync.bind(fakeTimersModern),
  } as unknown as SuiteGlobals['jest'];
}

const following = <Name extends keyof SuiteGlobals>(name: Name): SuiteGlobals[Name] =>
  new Proxy((() => {}) as unknown as SuiteGlobals[Name] & object, {
    apply: (_, __, args) => Reflect.apply(nowOf(name) as unknown as () => unknown, undefined, args),
    get: (_, key) => Reflect.get(nowOf(name), key),
  });

function nowOf<Name extends keyof SuiteGlobals>(name: Name): SuiteGlobals[Name] {
  if (!current) throw new Error(`${name} of @jest/globals works in tests alone: run the file through npm test.`);
  return current[name];
}

export const afterAll = following('afterAll');
export const afterEach = following('afterEach');
export const beforeAll = following('beforeAll');
export const beforeEach = following('beforeEach');
export const describe = following('describe');
export const expect = following('expect');
export const it = following('it');
export const jest = following('jest');
export const test = following('test');
