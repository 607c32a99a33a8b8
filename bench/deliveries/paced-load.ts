import { nextMessage, startChild } from '../harness/child-task.ts';

/**
 * POSTs to its paths with its keys in turns; each is an event for the webhook at `<url of the load>/<name>`. `field`
 * of the body, and of the event's data, identifies them.
 */
export type PacedClient = {
  name: string;
  apiKeys: readonly string[];
  paths: readonly string[];
  field: 'title' | 'content';
};

/** One request of a client after another, at fixed times `everyMs` apart, however long the responses take. */
export type PacedLoad = { url: string; everyMs: number; clients: readonly PacedClient[] };

/**
 * In ms: the request until its 201, that until the webhook, and until the webhook from when the event says it happened,
 * shortly before it was committed. `missing`: webhooks that never came.
 */
export type PacedResult = {
  name: string;
  acceptedMs: number[];
  receivedMs: number[];
  sinceEventMs: number[];
  missing: number;
};

export type PacedClients = {
  url: string;
  begin(load: PacedLoad): void;
  /** Ends the load that began and gives what it measured, by client. */
  end(): Promise<PacedResult[]>;
  stop(): void;
};

/** Clients and their receiver in a process of their own. */
export async function startPacedClients(): Promise<PacedClients> {
  const child = startChild('../deliveries/paced-load-generator.ts', {});
  const { port } = await nextMessage<{ port: number }>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    begin: (load) => void child.send(load),
    end() {
      child.send('end');
      return nextMessage<PacedResult[]>(child);
    },
    stop: () => void child.kill(),
  };
}
