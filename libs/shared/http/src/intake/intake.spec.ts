import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AppError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import { createIntake } from './intake.ts';
import type { IntakeLimits } from './intake-limits.ts';

/** A watch with a clock that only the test moves. */
function scene(limits: Partial<IntakeLimits> = {}) {
  let now = 0;
  const reasons: string[] = [];
  const intake = createIntake({ limits, nowMs: () => now, onBodyCut: (reason) => void reasons.push(reason) });
  const open = (address: string, bytes = 0) => {
    const socket = { bytesRead: 1_000 };
    const request = Object.assign(new EventEmitter(), { socket, complete: false, pause, resume() {} });
    let isPaused = false;
    function pause() {
      isPaused = true;
    }
    const cuts: AppError[] = [];
    const body = intake.watch(request as unknown as IncomingMessage, address, (why) => void cuts.push(why));
    body.hold(bytes);
    return {
      ...body,
      come: (count: number) => void (socket.bytesRead += count),
      complete: () => void (request.complete = true),
      isPaused: () => isPaused,
      isCut: () => cuts.length > 0,
      status: () => cuts[0]?.status ?? cuts[0]?.code,
    };
  };
  const pass = (ms: number) => {
    now += ms;
    intake.sweep();
  };
  return { open, pass, reasons };
}

describe('a slow body', () => {
  it('is cut when nothing arrived for 15 s', () => {
    const { open, pass, reasons } = scene({ graceMs: 100_000, maxMs: 100_000 });
    const [still, moving] = [open('192.0.2.1'), open('192.0.2.2')];
    pass(10_000);
    moving.come(1);
    pass(14_999);
    moving.come(1);
    pass(10_000);
    expect([still.status(), moving.isCut(), reasons]).toEqual([408, false, ['slow']]);
  });

  it('has 15 s, a second more for each 16 KiB, and a minute at the most', () => {
    const { open, pass } = scene();
    const [trickle, steady, large] = [open('192.0.2.1'), open('192.0.2.2'), open('192.0.2.3')];
    const cutAt = new Map<object, number>();
    for (let second = 1; second <= 70; second += 1) {
      trickle.come(100);
      steady.come(second < 40 ? 8_192 : 1);
      large.come(1_000_000);
      pass(1_000);
      for (const body of [trickle, steady, large]) if (body.isCut() && !cutAt.has(body)) cutAt.set(body, second);
    }
    expect([cutAt.get(trickle), cutAt.get(steady), cutAt.get(large)]).toEqual([16, 31, 61]);
  });

  it('is no longer watched once it is complete', () => {
    const { open, pass } = scene();
    const body = open('192.0.2.1');
    body.complete();
    pass(1_000_000);
    expect(body.isCut()).toBe(false);
  });
});

describe('bodies of one address', () => {
  const limits = { bytesPerSecondOfAddress: 1_000, freeBytes: 100 };

  it('wait when they are too fast, except for the first bytes of each', () => {
    const { open } = scene(limits);
    const [large, small, other] = [open('192.0.2.1'), open('192.0.2.1'), open('192.0.2.2')];
    large.pace(2_100);
    expect(large.isPaused()).toBe(false);
    large.pace(1);
    small.pace(100);
    other.pace(1_000);
    expect([large, small, other].map((body) => body.isPaused())).toEqual([true, false, false]);
  });

  it('do not count as slow while they are paused here', () => {
    const { open, pass } = scene({ ...limits, graceMs: 1_000, stallMs: 1_000, minBytesPerSecond: 1_000_000 });
    const body = open('192.0.2.1');
    body.pace(7_100);
    pass(5_900);
    expect(body.isCut()).toBe(false);
    pass(200);
    expect(body.isCut()).toBe(true);
  });
});

describe('bodies in memory', () => {
  it('of one address over its quota cut its largest unfinished one', () => {
    const { open, reasons } = scene({ maxBytesOfAddress: 100, maxBytes: 1_000 });
    const [small, large, other] = [open('192.0.2.1', 10), open('192.0.2.1', 60), open('192.0.2.2', 60)];
    const last = open('192.0.2.1', 50);
    expect([small.isCut(), large.status(), other.isCut(), last.isCut()]).toEqual([false, 'rate_limited', false, false]);
    expect(reasons).toEqual(['address']);
  });

  it('over the limit of the process cut those of the address that holds most', () => {
    const { open } = scene({ maxBytesOfAddress: 100, maxBytes: 150 });
    const hogs = [open('192.0.2.1', 30), open('192.0.2.1', 60)];
    const others = [open('192.0.2.2', 50), open('192.0.2.3', 20)];
    expect([...hogs, ...others].map((body) => body.isCut())).toEqual([false, true, false, false]);
  });

  it('count until the response to their request', () => {
    const { open } = scene({ maxBytesOfAddress: 100 });
    const first = open('192.0.2.1', 80);
    first.finish();
    expect(open('192.0.2.1', 30).isCut()).toBe(true);
    first.release();
    expect([first.isCut(), open('192.0.2.1', 30).isCut()]).toEqual([false, false]);
  });

  it('count by the network of an IPv6 address', () => {
    const { open } = scene({ maxBytesOfAddress: 100 });
    open('2001:db8::1', 60);
    expect([open('2001:db8::2', 60).isCut(), open('2001:db8:0:1::2', 60).isCut()]).toEqual([false, false]);
    const full = scene({ maxBytesOfAddress: 100 });
    const bodies = ['2001:db8::1', '2001:db8::2'].map((address) => full.open(address, 60));
    expect(bodies.filter((body) => body.isCut())).toHaveLength(1);
  });
});

describe('unfinished bodies', () => {
  it('of one address over its quota cut its oldest one: new ones are still accepted', () => {
    const { open } = scene({ maxUnfinishedOfAddress: 3 });
    const bodies = Array.from({ length: 5 }, () => open('192.0.2.1'));
    const other = open('192.0.2.2');
    expect([...bodies, other].map((body) => body.isCut())).toEqual([true, true, false, false, false, false]);
  });

  it('over the limit of the process cut those of the address that has most', () => {
    const { open } = scene({ maxUnfinished: 3 });
    const bodies = ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.3'].map((address) => open(address));
    expect(bodies.map((body) => body.status())).toEqual([503, undefined, undefined, undefined]);
  });
});
