import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchTasks } from './share-out.ts';

const ids = ['a', 'b', 'c', 'd'];
const who = fc.option(fc.constantFrom(...ids), { freq: 1 });
const roles = fc.constantFrom('rd', 'qa');
const skills = fc.subarray(['rust', 'go']);
const anyTasks = fc.array(
  fc
    .record({
      assignedRole: fc.option(roles),
      assignedAgent: who,
      isPinned: fc.boolean(),
      notFor: who,
      lostBy: who,
      required: skills,
    })

    .filter(({ isPinned, assignedAgent }) => !isPinned || assignedAgent !== null)
    .map(({ required, ...fields }) => ({ ...fields, metadata: { required_capabilities: required } })),
  { maxLength: 6 },
);
const anyAgents = fc.uniqueArray(fc.record({ id: fc.constantFrom(...ids), role: roles, capabilities: skills }), {
  selector: ({ id }) => id,
});

describe('tasks matched to agents that claim at the same time', () => {
  it('go to one eligible agent each, in order, and no agent is left out that is eligible for one of the rest', () => {
    fc.assert(
      fc.property(anyTasks, anyAgents, (tasks, agents) => {
        type Offered = (typeof tasks)[number];
        const given = new Map<Offered, (typeof agents)[number]>();
        const unserved = matchTasks(tasks, agents, (task, agent) => void given.set(task, agent));
        const fits = (task: Offered, { id, role, capabilities }: (typeof agents)[number]) =>
          [task.notFor, task.lostBy].every((other) => other !== id) &&
          (task.isPinned ? task.assignedAgent === id : [null, role].includes(task.assignedRole)) &&
          task.metadata.required_capabilities.every((one) => capabilities.includes(one));
        for (const [task, agent] of given) expect(fits(task, agent)).toBe(true);
        const served = [...given.values()];
        expect(new Set(served).size).toBe(served.length);
        expect(new Set([...served, ...unserved])).toEqual(new Set(agents));
        const rest = tasks.filter((task) => !given.has(task));
        for (const task of rest) for (const agent of unserved) expect(fits(task, agent)).toBe(false);
      }),
    );
  });
});
