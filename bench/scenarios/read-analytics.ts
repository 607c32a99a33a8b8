import type { Scenario } from '../harness/bench.ts';
import { measureRead } from '../reads/read-against-limit.ts';

const roles = ['', '&role=rd', '&role=qa', '&role=pm'];
const periods = ['day', 'week', 'month', 'quarter'];

export const scenario: Scenario = {
  name: 'read-analytics',
  about: 'GET /v1/analytics/performance: every period, of all and of a role',
  run: (bench) =>
    measureRead(bench, () =>
      periods.flatMap((period) => roles.map((role) => `/v1/analytics/performance?period=${period}${role}`)),
    ),
};
