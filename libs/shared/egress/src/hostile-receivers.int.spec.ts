import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  type HostileEnd,
  type HostileReceiver,
  type HostileReceivers,
  startHostileReceivers,
} from '@eas/testing';
import { hangMs } from '@eas/testing/eventually';
import { createEgress, type Egress, type EgressOptions, type EgressResult } from './egress.ts';
import type { FailureReason } from './failure.ts';

const soonMs = 300;
const rounds = 2;
/** Limit of the phases that a receiver does not hold up: only for hangs, whatever the speed of the machine. */
const patience = { deadlineMs: hangMs, connectTimeoutMs: hangMs, headersTimeoutMs: hangMs, bodyTimeoutMs: hangMs };
/** A short limit only for the phase that a receiver holds up. */
const impatience: Partial<Record<FailureReason, Partial<EgressOptions>>> = {
  timeout_connect: { connectTimeoutMs: soonMs },
  timeout_headers: { headersTimeoutMs: soonMs },
  timeout_body: { bodyTimeoutMs: soonMs },
};

let hostile: HostileReceivers;
const opened = new Map<Partial<EgressOptions> | undefined, Egress>();
/** Results per receiver, in order; the receivers of a round are called at once, each together with a normal one. */
const results = new Map<string, EgressResult[]>();
const normalResults: EgressResult[] = [];

function open(options?: Partial<EgressOptions>): Egress {
  const egress =
    opened.get(options) ??
    createEgress({
      allowHttp: true,
      allowedCidrs: ['127.0.0.0/8'],
      resolve: hostile.resolve,
      ...patience,
      ...options,
    });
  opened.set(options, egress);
  return egress;
}

async function send({ name, url, ends: [end] }: HostileReceiver): Promise<void> {
  const request = { method: 'POST', headers: {}, body: 'x'.repeat(500) } as const;
  const [result, normal] = await Promise.all([
    open(typeof end === 'string' ? impatience[end] : undefined).send({ ...request, url }),
    open().send({ ...request, url: hostile.normal.url }),
  ]);
  results.set(name, [...(results.get(name) ?? []), result]);
  normalResults.push(normal);
}

beforeAll(async () => {
  hostile = await startHostileReceivers();
  for (let round = 0; round < rounds; round += 1) await Promise.all(hostile.receivers.map(send));
});

afterAll(async () => {
  for (const egress of opened.values()) await egress.close();
  await hostile.close();
});

function endOf(result: EgressResult): HostileEnd {
  return result.kind === 'failure' ? result.reason : { status: result.status, isBodyCut: result.isBodyCut };
}

describe('requests to hostile receivers', () => {
  it("end with the failure class of the receiver's behaviour", () => {
    const wrong = hostile.receivers.flatMap(({ name, ends }) =>
      (results.get(name) ?? [])
        .map(endOf)
        .filter((end) => !ends.some((allowed) => JSON.stringify(allowed) === JSON.stringify(end)))
        .map((end) => [name, end]),
    );
    expect(wrong).toEqual([]);
    expect([...results.values()].flat()).toHaveLength(rounds * hostile.receivers.length);
  });

  it('follow a name to each address that it has at that time', () => {
    const ends = results.get('name-that-changes')?.map(endOf);
    expect(ends).toEqual([{ status: 200, isBodyCut: false }, 'blocked_target']);
  });

  it('never buffer more of a body than the limit, and decompress nothing', () => {
    const lengths = [...results.values()].flat().map((result) => (result.kind === 'response' ? result.body.length : 0));
    expect(Math.max(...lengths)).toBe(16_384);
  });

  it('leave no connection open after a failure', async () => {
    const failing = hostile.receivers.filter(({ ends }) => ends.every((end) => typeof end === 'string'));
    const held = () => failing.filter((receiver) => receiver.openSockets() > 0).map(({ name }) => name);
    await eventually(() => held().length === 0).catch(() => {});
    expect(held()).toEqual([]);
  });

  it('do not affect other requests', () => {
    expect(normalResults).toHaveLength(rounds * hostile.receivers.length);
    expect(normalResults.filter((result) => result.kind !== 'response' || result.status !== 200)).toEqual([]);
  });
});
