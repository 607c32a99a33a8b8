import { runInChild } from '../harness/child-task.ts';
import type { PostedEvents, PostEvents } from './post-events.ts';

/** A POST that publishes an event, sent as it is, again and again. */
export type Publish = { url: string; headers: Record<string, string>; body: string };

/** Creates a task, and with it an event, whose description has `bytes` bytes. */
export function taskCreation(url: string, apiKey: string, bytes: number): Publish {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ title: 'Measured', description: 'a'.repeat(bytes) });
  return { url: `${url}/v1/tasks`, headers, body };
}

/** Sends it again and again, in a process of its own. */
export const postEvents = (post: PostEvents): Promise<PostedEvents> =>
  runInChild<PostedEvents>('../deliveries/post-events.ts', post);
