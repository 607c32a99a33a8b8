import { afterAll, afterEach, beforeAll } from '@jest/globals';
import nock from 'nock';

/** No request of this suite leaves the process. Suites of a worker share the module: each begins and ends with its patches. */
export function useNock(): void {
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => nock.cleanAll());
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });
}
