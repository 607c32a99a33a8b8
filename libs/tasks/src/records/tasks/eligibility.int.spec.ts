import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Assignee, isEligible, isEligibleSql, needsOf, someEligibleSql } from './eligibility.ts';

const test = useTestDatabase();

const ids = fc.constantFrom('a', 'b', 'c');
const roles = fc.constantFrom('rd', 'qa');
const skill = fc.constantFrom('go', 'rust', 'sql');
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 2 });
/** What a client may write there: mostly a list of texts. */
const required = fc.oneof(
  { weight: 4, arbitrary: fc.array(skill, { maxLength: 2 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('go', 1, null, {}, [1], ['go', null], [['go']], ['go', ['rust']], [{}], [[]]),
  },
);
const anyAgents = fc.array(fc.record({ id: ids, role: roles, capabilities: fc.subarray(['go', 'rust', 'sql']) }), {
  minLength: 20,
  maxLength: 20,
});
const anyTasks = fc.array(
  fc.record({
    assignedRole: maybe(roles),
    assignedAgent: maybe(ids),
    isPinned: fc.boolean(),
    notFor: maybe(ids),
    metadata: fc.record({ required_capabilities: required }, { requiredKeys: [] }),
  }),
  { minLength: 20, maxLength: 20 },
);

const sql = `
  SELECT ${isEligibleSql('t', (column) => `a.${column}`)} AS may,
    ${someEligibleSql('t', { ids: 'ARRAY[a.id]', capabilities: 'a.capabilities' })} AS "someMay"
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS tasks (task, t_place)
  CROSS JOIN LATERAL jsonb_to_record(task) AS t (assigned_role text, assigned_agent text, is_pinned boolean, not_for text, metadata jsonb)
  CROSS JOIN jsonb_array_elements($2::jsonb) WITH ORDINALITY AS agents (agent, a_place)
  CROSS JOIN LATERAL jsonb_to_record(agent) AS a (id text, role text, capabilities text[])
  ORDER BY t_place, a_place`;

describe('eligibility for a task', () => {
  it('is the same in SQL and in TypeScript', async () => {
    await fc.assert(
      fc.asyncProperty(anyTasks, anyAgents, async (drawn, agents) => {
        const tasks = drawn.map((task) => ({ ...task, isPinned: task.isPinned && task.assignedAgent !== null }));
        const rows = tasks.map(({ assignedRole, assignedAgent, isPinned, notFor, metadata }) => ({
          assigned_role: assignedRole,
          assigned_agent: assignedAgent,
          is_pinned: isPinned,
          not_for: notFor,
          metadata,
        }));
        const values = [JSON.stringify(rows), JSON.stringify(agents)];
        const inSql = await test.database.db.query<{ may: boolean; someMay: boolean }>(sql, values);
        const may = tasks.flatMap((task) => agents.map((agent) => isEligible(agent, needsOf(task))));
        expect(inSql.map((row) => row.may)).toEqual(may);
        expect(inSql.filter((row) => row.may && !row.someMay)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  const task = { assignedRole: 'rd', assignedAgent: null, isPinned: false, notFor: null, metadata: {} };
  const agent: Assignee = { id: 'a', role: 'rd', capabilities: ['go'] };

  it.each<[string, object, boolean]>([
    ['one of its role', {}, true],
    ['none of another role', { assignedRole: 'qa' }, false],
    ['one of any role, when it names none', { assignedRole: null }, true],
    [
      'the agent that it is pinned to, whatever its role',
      { assignedRole: 'qa', assignedAgent: 'a', isPinned: true },
      true,
    ],
    ['none but the agent that it is pinned to', { assignedAgent: 'b', isPinned: true }, false],
    ['one beside the agent that it is planned for', { assignedAgent: 'b' }, true],
    ['not the agent that it is not for', { notFor: 'a' }, false],
    ['one with all that it requires', { metadata: { required_capabilities: ['go'] } }, true],
    ['none that lacks something of that', { metadata: { required_capabilities: ['go', 'sql'] } }, false],
    ['one whatever it requires in a form that means nothing', { metadata: { required_capabilities: 'sql' } }, true],
  ])('is %s', (_, over, expected) => {
    expect(isEligible(agent, needsOf({ ...task, ...over }))).toBe(expected);
  });
});
