import { setTimeout as sleep } from 'node:timers/promises';
import type { CodingAgent, FoundAgent, SupervisorCall, SupervisorResult } from '@eas/contracts';
import type { AgentFinder } from './find-agents.ts';
import type { LocalRunners } from './local-runners.ts';
import { Refusal } from './refusal.ts';
import type { Runner } from './runner.ts';

/** A list is returned without the coding agents when finding these takes longer. */
const findWaitMs = 8_000;
/** Of a runner that is stopped: its tasks are given back within it. */
const runnerStopMs = 8_000;

type Parts = { runners: LocalRunners; finder: AgentFinder };

/** Executes a call of the gateway. Throws a Refusal when it changes nothing. */
export function createCallHandler(parts: Parts): (call: SupervisorCall) => Promise<SupervisorResult> {
  return async (call) => {
    const runner = await change(call, parts);
    return { state: await stateOf(parts), ...(runner ? { key_id: runner.planned.key_id } : {}) };
  };
}

/** Gives the runner that the call is about. */
async function change(call: SupervisorCall, { runners, finder }: Parts): Promise<Runner | undefined> {
  switch (call.call) {
    case 'list':
      return undefined;
    case 'check':
      runners.assertCapacity();
      assertInstalled(await finder.find(), call.preset);
      return undefined;
    case 'start':
      return runners.start(call.runner, call.api_key);
    case 'retry': {
      const runner = runners.of(call.agent_id);
      await runner.retry();
      return runner;
    }
    case 'stop': {
      const runner = runners.of(call.agent_id);
      await runner.stop(runnerStopMs);
      return runner;
    }
    case 'remove':
      return runners.remove(call.agent_id);
  }
}

function assertInstalled(agents: readonly FoundAgent[], preset: CodingAgent): void {
  const agent = agents.find((one) => one.preset === preset);
  if (agent?.found) return;
  throw new Refusal('conflict', agent?.problem ?? `${preset} is not installed.`, 'state');
}

async function stateOf({ runners, finder }: Parts): Promise<SupervisorResult['state']> {
  const found = await Promise.race([finder.find().catch(() => []), sleep(findWaitMs, undefined, { ref: false })]);
  const { agents, isProbing } = finder.withProbes(found ?? []);
  return { agents, checking: found === undefined || isProbing, runners: runners.show() };
}
