import { setTimeout as sleep } from 'node:timers/promises';
import { backends } from '../../harness/options.ts';
import type { Fault } from './fault.ts';

/** In a long run a process is killed this often: of each app the first in turn, so that the other ones grow old. */
const longestPauseMs = 20_000;

export const kills: Fault = {
  name: 'kill -9 of each app, one after the other',
  backends,
  async strike({ processes }, seconds) {
    const first = processes.filter(({ copy }) => copy === 0);
    const pauseMs = Math.min(longestPauseMs, (seconds * 1_000) / first.length);
    const endsAt = performance.now() + seconds * 1_000;
    for (let number = 0; performance.now() < endsAt; number += 1) {
      await Promise.all([first[number % first.length]?.kill(), sleep(pauseMs)]);
    }
  },
};

/** For comparison, and to find out how much the machine can do. */
export const nothing: Fault = {
  name: 'nothing fails',
  backends,
  isOnRequest: true,
  strike: (_, seconds) => sleep(seconds * 1_000),
};

const hour = 3_600;

/** By then a process says another time: it reads its clock once a second. */
const clockPatienceMs = 20_000;

/** Waits until it says in its responses what time it is, so many seconds from now. */
async function expectClock(url: string, moved: number): Promise<void> {
  const endsAt = performance.now() + clockPatienceMs;
  for (;;) {
    const { headers } = await fetch(`${url}/v1/openapi.json`, { method: 'HEAD' });
    const date = headers.get('date') ?? '';
    if (Math.abs(Date.parse(date) - Date.now() - moved * 1_000) < 60_000) return;
    if (performance.now() > endsAt) throw new Error(`the clock was not moved by ${moved} s: a process says ${date}`);
    await sleep(200);
  }
}

export const clockJump: Fault = {
  name: 'clocks of half of the processes an hour ahead, then an hour behind',
  backends,
  async strike({ moveClocks, urlsOf }, seconds) {
    for (const moved of [hour, -hour, 0]) {
      moveClocks(moved);
      await expectClock(urlsOf('api-gateway').at(-1) ?? '', moved);
      await sleep((seconds * 1_000) / 3);
    }
  },
};

export const halfOpen: Fault = {
  name: 'connections of half of the processes fall silent',
  backends,
  async strike({ proxies }, seconds) {
    for (const proxy of proxies) {
      if (proxy.silence() === 0) throw new Error('no connection goes through the proxy');
      await sleep((seconds * 1_000) / proxies.length);
    }
  },
};
