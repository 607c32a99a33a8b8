import { runInChild } from '../harness/child-task.ts';
import type { PlatformIntegration } from './platform-integration.ts';

/**
 * One signed change each of tasks `<run>-0`, `<run>-1` and so on, whose names get `at`, in Unix milliseconds. As fast as
 * the connections go, or at fixed times. A change that is answered with 503 is sent again after `retryMs`.
 */
export type SendChanges = {
  url: string;
  integration: PlatformIntegration;
  run: string;
  at: number;
  count: number;
  connections: number;
  everyMs?: number;
  retryMs?: number;
};

/** An acknowledged change; moments are in Unix milliseconds. */
type SentChange = { taskId: string; sentAt: number; acceptedAt: number; tookMs: number };

/**
 * `statuses`: responses by status, and requests without one by the error. `unnamed`: responses with 503 that do not say
 * when to come again.
 */
export type SentChanges = { seconds: number; sent: SentChange[]; statuses: Record<string, number>; unnamed: number };

/** In a process of its own. */
export const sendChanges = (changes: SendChanges): Promise<SentChanges> =>
  runInChild<SentChanges>('../inbound/send-changes-generator.ts', changes);
