import type { PatientClient, ApiResponse } from '../patient-client.ts';

export type StressAgent = { id: string; role: string; capabilities: readonly string[]; client: PatientClient };

/** A task that a client made, with what was asked for of who does it; a pin may move later. */
type KnownTask = { id: string; pinnedTo: string | null; capabilities: readonly string[] };

/** A hang, not a limit of speed. */
export const endMs = 300_000;

/** Shared state of the stress test: the clients' own record of acknowledged changes, and violations. */
export type World = {
  client: PatientClient;
  /** Agents that have not been removed. */
  agents: StressAgent[];
  /** By id. */
  tasks: Map<string, KnownTask>;
  /** What agents claimed. It is judged in the end: the task's creator may learn of it later than its agent. */
  given: { taskId: string; role: string | null; agent: StressAgent }[];
  runIds: string[];
  workflowIds: string[];
  /** Completions that were acknowledged: `<task> <agent>`. */
  completions: Set<string>;
  violations: string[];
  counts: Record<string, number>;
  /** wild: anything goes; calm: what was begun is brought to its end; over: no actor acts; closed: no reader reads. */
  phase: 'wild' | 'calm' | 'over' | 'closed';
  /** When no actor acts: readers go on until they have it. */
  lastEventId: string | undefined;
};

export function createWorld(client: PatientClient): World {
  return {
    client,
    agents: [],
    tasks: new Map(),
    given: [],
    runIds: [],
    workflowIds: [],
    completions: new Set(),
    violations: [],
    counts: {},
    phase: 'wild',
    lastEventId: undefined,
  };
}

/** Whether people and agents still act. */
export const isActing = ({ phase }: World): boolean => phase === 'wild' || phase === 'calm';

export const oneIn = (count: number): boolean => Math.random() * count < 1;
export const anyOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls that are refused for these reasons have collided with a concurrent change. */
const expectedRefusals = new Set([401, 404, 409]);

/** Records the call and returns its body; undefined when it was refused. An unexplained refusal is a violation. */
export function taken(
  { violations, counts }: World,
  what: string,
  { status, body }: ApiResponse,
): ApiResponse['body'] | undefined {
  const key = `${what} ${status}`;
  counts[key] = (counts[key] ?? 0) + 1;
  if (status < 300) return body;
  if (!expectedRefusals.has(status)) violations.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
  return undefined;
}
