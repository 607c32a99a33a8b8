import { runInChild } from './child-task.ts';

/** A stream of requests. `platform` bodies are signed and carry a new history item id each; `plain` is sent as it is; `none` are GETs of the paths in turn. */
export type Load = {
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  body:
    | { kind: 'none'; paths: readonly string[] }
    | { kind: 'plain'; text: string }
    | { kind: 'platform'; template: Record<string, unknown>; secret: string };
};

export type LoadResult = {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Responses that are not 2xx, and requests without a response. */
  errors: number;
  statuses: Record<string, number>;
};

export const runLoad = (load: Load): Promise<LoadResult> => runInChild('load-generator.ts', load);
