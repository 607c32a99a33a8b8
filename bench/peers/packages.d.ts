// What the bench uses of the peers. They are installed on first use, so the types of the packages are not always there.
declare module '@dbos-inc/dbos-sdk' {
  export const DBOS: {
    setConfig(config: { name: string; systemDatabaseUrl: string; logLevel: string }): void;
    launch(): Promise<void>;
    shutdown(): Promise<void>;
    registerWorkflow<T>(run: () => Promise<T>, config: { name: string }): () => Promise<T>;
    startWorkflow<T>(run: () => Promise<T>): () => Promise<{ getResult(): Promise<T> }>;
    runStep<T>(run: () => Promise<T>, config: { name: string }): Promise<T>;
  };
}

declare module '@restatedev/restate-sdk' {
  import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
  export type WorkflowContext = { run<T>(name: string, action: () => T): Promise<T> };
  export function workflow(definition: {
    name: string;
    handlers: { run(context: WorkflowContext): Promise<unknown> };
  }): object;
  export function createEndpointHandler(options: {
    services: object[];
    logger: () => void;
  }): (request: Http2ServerRequest, response: Http2ServerResponse) => void;
}
