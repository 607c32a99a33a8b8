import type { UseCaseContext } from '@eas/db';
import { describe, expect, it } from '@jest/globals';
import { sendClaimed, type Sending } from './send-claimed.ts';

const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
const ctx = { clock } as UseCaseContext;
const messages = ['a', 'b', 'c', 'd'];

/** Requests that return the message in capitals once `end` was called with it. */
function held() {
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const request = async (_: unknown, message: string) => {
    const ended = Promise.withResolvers<void>();
    waiting.set(message, ended);
    await ended.promise;
    return message.toUpperCase();
  };
  return { waiting, request, end: (message: string) => waiting.get(message)?.resolve() };
}
const settledPromises = () => new Promise<void>((resolve) => setImmediate(resolve));
const recorder = (): { recorded: unknown[]; settle: Sending<string, string, string>['settle'] } => {
  const recorded: unknown[] = [];
  return { recorded, settle: async (_, { claimed, response }) => void recorded.push([claimed, response]) };
};
const judge = () => 'sent';

describe('claimed messages', () => {
  it('are sent in their order, as many at a time as is said, and each is recorded when it has ended', async () => {
    const { waiting, request, end } = held();
    const { recorded, settle } = recorder();
    const sent = sendClaimed(ctx, { request, judge, settle }, messages, { atATime: 2, mayStart: () => true });
    await settledPromises();
    expect([...waiting.keys()]).toEqual(['a', 'b']);
    end('b');
    await settledPromises();
    expect([[...waiting.keys()], recorded]).toEqual([['a', 'b', 'c'], [['b', 'B']]]);
    for (const message of ['a', 'c']) end(message);
    await settledPromises();
    end('d');
    expect((await sent).attempts).toMatchObject(['b', 'a', 'c', 'd'].map((claimed) => ({ claimed, verdict: 'sent' })));
  });

  it('are returned unsent if they may not start any more or are cut off', async () => {
    const { recorded, settle } = recorder();
    let started = 0;
    const request = async (_: unknown, message: string) => (message === 'b' ? undefined : message);
    const mayStart = () => ++started <= 2;
    const { attempts, unsent } = await sendClaimed(ctx, { request, judge, settle }, messages, { atATime: 1, mayStart });
    expect([attempts.length, unsent, recorded.length]).toEqual([1, ['b', 'c', 'd'], 1]);
  });

  it('are over when one that could not be recorded rejects the batch', async () => {
    const recorded: string[] = [];
    const settle = async (_: unknown, { claimed }: { claimed: string }) => {
      if (claimed === 'a') throw new Error('no database');
      await settledPromises();
      recorded.push(claimed);
    };
    const request = async (_: unknown, message: string) => message;
    const batch = sendClaimed(ctx, { request, judge, settle }, messages, { atATime: 2, mayStart: () => true });
    await expect(batch).rejects.toThrow('no database');
    expect(recorded).toEqual(['b', 'c', 'd']);
  });
});
