import { afterAll, expect } from '@jest/globals';
import { endSecretWatch, loggedSecrets, watchSecrets } from '../secret-watch.ts';

// In every e2e test: checks that no secret that it sent or received is in a log.
watchSecrets();
afterAll(() => {
  const found = loggedSecrets();
  endSecretWatch();
  expect(found).toEqual([]);
});
