/** The apps of an installation; each exports its metrics on its health port. */
export const metricApps = [
  'api-gateway',
  'webhook-receiver',
  'workflow-orchestrator',
  'webhook-dispatcher',
  'analytics-aggregator',
] as const;
export type MetricApp = (typeof metricApps)[number];

export type MetricDef = {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Each has few values: never an id, a path, a URL or a text of a user. */
  readonly labels?: readonly string[];
  /** Of a counter with one label: all its values. Their series begin at 0, so that the first count is an increase. */
  readonly values?: readonly string[];
  /** Of a histogram; in seconds. */
  readonly buckets?: readonly number[];
  readonly apps: readonly MetricApp[];
  /** Every replica exports the state of the whole installation: aggregate with `max`. Otherwise: with `sum`. */
  readonly isShared?: true;
  /** How to combine the processes where it is neither of the two. */
  readonly aggregate?: 'min' | 'max';
};

export const defineMetrics = <const T extends Readonly<Record<`eas_${string}`, MetricDef>>>(metrics: T): T => metrics;

export const workerApps = ['workflow-orchestrator', 'webhook-dispatcher', 'analytics-aggregator'] as const;
export const httpApps = ['api-gateway', 'webhook-receiver'] as const;
