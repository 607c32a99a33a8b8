import type { Scenario } from '../harness/bench.ts';
import { measureRead } from '../harness/read-beside-limit.ts';

export const scenario: Scenario = {
  name: 'list-tasks',
  about: 'GET /v1/tasks: a page of 20 and the total',
  run: (bench) => measureRead(bench, () => '/v1/tasks?limit=20'),
};
