import { runsOf } from '@eas/testing';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Json, useGateway } from '../gateway.ts';
import { workingWith } from './model-calls.ts';

const gateway = useGateway();
const working = workingWith(gateway);

/** A call and what it uses of what it may use, in percent; some are never reported, and some said twice. */
const oneCall = fc.record({
  most: fc.integer({ min: 1, max: 60 }),
  percent: fc.integer({ min: 0, max: 100 }),
  isRepeated: fc.boolean(),
  isReportedLater: fc.boolean(),
});
const history = fc.record({
  limit: fc.integer({ min: 1, max: 200 }),
  /** Of each of the runners, which work at the same time. */
  runners: fc.array(fc.array(oneCall, { maxLength: 12 }), { minLength: 2, maxLength: 4 }),
});
type OneCall = { most: number; percent: number; isRepeated: boolean; isReportedLater: boolean };

it('runners that call models at the same time exceed a budget by less than one call, whatever they do', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ limit, runners }) => {
      const { start, report, begin, budget, read } = await working({ max_concurrent_tasks: 10 });
      const limited = await budget({ limit });
      const admitted: number[] = [];
      const used: number[] = [];
      const late: (() => Promise<unknown>)[] = [];

      async function call(lease: Json, name: string, { most, percent, isRepeated, isReportedLater }: OneCall) {
        const asked = { input_tokens: 0, max_output_tokens: most };
        const decision = await start(name, asked, lease);
        if (!decision.allowed) return;
        if (isRepeated) expect((await start(name, asked, lease)).allowed).toBe(true);
        const tokens = Math.floor((most * percent) / 100);
        admitted.push(most);
        used.push(tokens);
        const send = () => report(name, { input_tokens: 0, output_tokens: tokens }, lease);
        if (isReportedLater) return void late.push(send);
        await send();
        if (isRepeated) await send();
      }

      const leases = await Promise.all(runners.map(async () => (await begin()).lease));
      await Promise.all(
        runners.map(async (calls, runner) => {
          for (const [at, one] of calls.entries()) await call(leases[runner], `${runner}-${at}`, one);
        }),
      );
      await Promise.all(late.map((send) => send()));
      const { spent, reserved } = (await read(limited)).current;
      expect([spent, reserved]).toEqual([used.reduce((sum, one) => sum + one, 0), 0]);
      expect(spent - limit).toBeLessThanOrEqual(Math.max(0, ...admitted));
      // What is left is there for the next call, and what is used up is refused.
      expect((await start('next', { input_tokens: 0, max_output_tokens: 1 }, leases[0])).allowed).toBe(spent < limit);
    }),
    { numRuns: runsOf(8, 100) },
  );
});
