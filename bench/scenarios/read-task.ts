import type { Scenario } from '../harness/bench.ts';
import { measureRead } from '../reads/read-against-limit.ts';

export const scenario: Scenario = {
  name: 'read-task',
  about: 'GET /v1/tasks/{id}: progress and activity',
  run: (bench) => measureRead(bench, ({ taskIds }) => taskIds.map((id) => `/v1/tasks/${id}`)),
};
