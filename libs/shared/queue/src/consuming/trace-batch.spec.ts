import { currentTraceparent, setTracer } from '@eas/core';
import { createRecordingTracer } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { traceBatch } from './trace-batch.ts';

let tracing: ReturnType<typeof createRecordingTracer>;
beforeEach(() => setTracer((tracing = createRecordingTracer())));
afterEach(() => setTracer(undefined));
const work = (causes: (string | null)[]) =>
  traceBatch(
    'task.plan',
    causes.map((traceparent) => ({ traceparent })),
    async () => currentTraceparent(),
  );
const seen = () =>
  tracing.spans.map(({ name, options: { parent, links }, ended }) => ({ name, parent, links, isOver: ended === null }));

describe('the events that a consumer processes', () => {
  it('are processed in the trace of the only event that has one', async () => {
    expect(await work([null, 'a'])).toBe('span 1');
    expect(seen()).toEqual([{ name: 'consume task.plan', parent: 'a', links: undefined, isOver: true }]);
  });

  it('are shown in each of their traces, and processed in a span that is linked to all', async () => {
    expect(await work(['a', null, 'b'])).toBe('span 3');
    expect(seen()).toEqual([
      { name: 'consume task.plan', parent: 'a', links: undefined, isOver: true },
      { name: 'consume task.plan', parent: 'b', links: undefined, isOver: true },
      { name: 'consume batch task.plan', parent: undefined, links: ['a', 'b'], isOver: true },
    ]);
  });

  it('create no span if none of them is traced, or tracing is off', async () => {
    expect(await work([null])).toBeUndefined();
    setTracer(undefined);
    expect(await work(['a'])).toBeUndefined();
    expect(tracing.spans).toEqual([]);
  });

  it('end their spans with the error of the work', async () => {
    const error = new Error('cannot');
    const fail = () => Promise.reject(error);
    await expect(traceBatch('task.plan', [{ traceparent: 'a' }, { traceparent: 'b' }], fail)).rejects.toBe(error);
    expect(tracing.spans.map(({ ended }) => ended)).toEqual([error, error, error]);
  });
});
