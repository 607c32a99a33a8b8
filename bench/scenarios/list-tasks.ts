import type { Scenario } from '../harness/bench.ts';
import { measureRead } from '../reads/read-against-limit.ts';

/** Every caller asks for a page of its own. */
const pages = 100;

export const scenario: Scenario = {
  name: 'list-tasks',
  about: 'GET /v1/tasks: a page of 20 and the total',
  run: (bench) =>
    measureRead(bench, () => Array.from({ length: pages }, (_, offset) => `/v1/tasks?limit=20&offset=${offset}`)),
};
