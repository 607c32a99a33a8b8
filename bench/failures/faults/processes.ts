import { setTimeout as sleep } from 'node:timers/promises';
import { backends } from '../../harness/options.ts';
import { say } from '../../harness/report.ts';
import type { Supervised } from '../system/system.ts';
import type { Fault } from './fault.ts';

/** In a long run a process is killed this often: of each app the first in turn, so that the other ones grow old. */
const longestPauseMs = 20_000;

const maxErrorShare = 0.005;

export const kills: Fault = {
  name: 'kill -9 of each app, one after the other',
  backends,
  maxErrorShare,
  async strike({ processes }, seconds) {
    const first = processes.filter(({ copy }) => copy === 0);
    const pauseMs = Math.min(longestPauseMs, (seconds * 1_000) / first.length);
    const endsAt = performance.now() + seconds * 1_000;
    let kills = 0;
    // However short it is, each app is killed once.
    for (; kills < first.length || performance.now() < endsAt; kills += 1) {
      await Promise.all([first[kills % first.length]?.kill(), sleep(pauseMs)]);
    }
    say(`    ${kills} kills`);
  },
};

/** For comparison, and to find out how much the machine can do. */
export const nothing: Fault = {
  name: 'nothing fails',
  backends,
  isOnRequest: true,
  maxErrorShare,
  strike: (_, seconds) => sleep(seconds * 1_000),
};

const hour = 3_600;

/** By then a process says another time: it reads its clock once a second. */
const clockPatienceMs = 20_000;

/** Waits until the time in its responses differs by this number of seconds. */
async function expectClock({ name, app }: Supervised, moved: number): Promise<void> {
  const endsAt = performance.now() + clockPatienceMs;
  for (;;) {
    const { headers } = await fetch(`${app.healthUrl}/livez`, { method: 'HEAD' });
    const date = headers.get('date') ?? '';
    if (Math.abs(Date.parse(date) - Date.now() - moved * 1_000) < 60_000) return;
    if (performance.now() > endsAt)
      throw new Error(`the clock of ${name} was not moved by ${moved} s: it says ${date}`);
    await sleep(200);
  }
}

export const clockJump: Fault = {
  name: 'clocks of half of the processes an hour ahead, then an hour behind',
  backends,
  maxSeconds: 60,
  async strike({ moveClocks, processes }, seconds) {
    const moveable = processes.filter(({ copy }) => copy > 0);
    for (const moved of [hour, -hour, 0]) {
      moveClocks(moved);
      for (const process of moveable) await expectClock(process, moved);
      await sleep((seconds * 1_000) / 3);
    }
  },
};

export const halfOpen: Fault = {
  name: 'connections of half of the processes fall silent',
  backends,
  maxSeconds: 60,
  maxErrorShare,
  isCut: true,
  async strike({ proxies, processes }, seconds) {
    const users = processes.filter(({ copy }) => copy > 0).length;
    for (const [index, proxy] of proxies.entries()) {
      const silenced = proxy.silence();
      // All of them use the database, which comes first, and some the queue store.
      if (silenced < (index === 0 ? users : 1)) throw new Error(`only ${silenced} connections went through the proxy`);
      await sleep((seconds * 1_000) / proxies.length);
    }
  },
};
