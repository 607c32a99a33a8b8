import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AppError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readDefinition } from '../read-definition.ts';
import { readShippedWorkflows } from '../shipped-workflows.ts';

const task = { title: 't', description: 'd' };
const step = (id: string, needs: string[] = [], more: object = {}) => ({
  id,
  name: id,
  role: 'rd',
  needs,
  task,
  ...more,
});
const root = step('a');
const definition = (steps: unknown[], more: object = {}) => ({
  name: 'w',
  description: 'd',
  estimated_duration: '1 day',
  steps,
  ...more,
});

/** Paths and constraints of what is wrong. */
function problemsOf(input: unknown): string[] {
  try {
    readDefinition(input);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_input' });
    return (error as AppError).violations.map(({ field, constraint }) => `${field} ${constraint}`);
  }
}
const when = (condition: object) => definition([root, step('b', ['a'], { condition })]);
const says = (text: object) => definition([root, step('b', ['a'], { task: { ...task, ...text } })]);

describe('a definition', () => {
  it.each<[string, unknown, string[]]>([
    ['no steps', definition([]), ['steps format']],
    ['two steps of one id', definition([root, step('b', ['a']), step('b', ['a'])]), ['steps.2.id exists']],
    ['a need that is no step', definition([root, step('b', ['a', 'x'])]), ['steps.1.needs.1 exists']],
    ['a step that needs itself', definition([root, step('b', ['a', 'b'])]), ['steps.1.needs.1 format']],
    [
      'steps that need each other',
      definition([root, step('b', ['a', 'd']), step('c', ['b']), step('d', ['c'])]),
      ['steps.1.needs.1 format'],
    ],
    ['nothing that begins', definition([step('a', ['b']), step('b', ['a'])]), ['steps.0.needs.0 format']],
    ['two that begin', definition([root, step('b', ['a']), step('c')]), ['steps.2.needs required']],
    [
      'a condition on the one that begins',
      definition([step('a', [], { condition: { path: 'parameters.x', op: 'exists' } })]),
      ['steps.0.condition unknown_field'],
    ],
    [
      'a description of too many placeholders',
      says({ description: '{{run.name}}'.repeat(101) }),
      ['steps.1.task.description max_length'],
    ],
    [
      'a template that reads a parameter which is not declared',
      says({ title: 'For {{ parameters.client.name }}', metadata: { list: ['{{parameters.other}}'] } }),
      ['steps.1.task.title exists', 'steps.1.task.metadata.list.0 exists'],
    ],
    ['an approval without an approver', definition([step('a', [], { approval: {} })]), ['steps.0.approval required']],
    [
      'an approval by two',
      definition([step('a', [], { approval: { role: 'qa', person: true } })]),
      ['steps.0.approval required'],
    ],
    [
      'a result schema that results cannot be held to',
      definition([step('a', [], { task: { ...task, contract: { result_schema: { pattern: 'x' } } } })]),
      ['steps.0.task.contract.result_schema.pattern unknown_field'],
    ],
    [
      'result schemas that are large together',
      definition(
        Array.from({ length: 10 }, (_, at) =>
          step(`s${at}`, at === 0 ? [] : ['s0'], {
            task: { ...task, contract: { result_schema: { description: 'x'.repeat(8_000) } } },
          }),
        ),
      ),
      ['steps max_size'],
    ],
  ])('with %s is refused with the path', (_what, input, problems) => {
    expect(problemsOf(input)).toEqual(problems);
  });

  it.each<[string, unknown, string[]]>([
    ['a known name of another type', { priority: { type: 'number' } }, ['parameters.priority.type enum']],
    ['a choice of another type', { size: { type: 'integer', enum: [1, 1.5] } }, ['parameters.size.enum.1 type']],
    ['a type that there is not', { size: { type: 'date' } }, ['parameters.size.type format']],
  ])('whose parameters have %s is refused with the path', (_what, parameters, problems) => {
    expect(problemsOf(definition([root], { parameters }))).toEqual(problems);
  });

  it('that breaks several rules reports all of them, step by step', () => {
    const input = definition([
      step('a', ['x'], { approval: {} }),
      step('a', ['a'], { condition: { path: 'nothing', op: 'eq' } }),
    ]);
    expect(problemsOf(input)).toEqual([
      'steps.0.needs.0 exists',
      'steps.0.approval required',
      'steps.1.id exists',
      'steps.1.condition.path format',
      'steps.1.condition.value required',
      'steps.1.needs.0 format',
    ]);
  });

  it('of any steps is refused, or has one first step from which all others are reached', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const steps = fc.tuple(...ids.map((id) => fc.subarray(ids, { maxLength: 2 }).map((needs) => step(id, needs))));
    fc.assert(
      fc.property(steps, (drawn) => {
        if (problemsOf(definition(drawn)).length > 0) return;
        const done = new Set<string>();
        for (const _ of drawn)
          for (const { id, needs } of drawn) if (needs.every((need) => done.has(need))) done.add(id);
        expect([done.size, drawn.filter(({ needs }) => needs.length === 0).length]).toEqual([ids.length, 1]);
      }),
    );
  });
});

describe('a condition', () => {
  it.each<[string, object, string[]]>([
    ['a step that comes later', { path: 'steps.b.status', op: 'exists' }, ['path exists']],
    ['a step that there is not', { path: 'steps.x.result.y', op: 'exists' }, ['path exists']],
    ['a part that steps lack', { path: 'steps.a.name', op: 'exists' }, ['path format']],
    ['a path from elsewhere', { path: 'env.HOME', op: 'exists' }, ['path format']],
    ['a path with a gap', { path: 'parameters..x', op: 'exists' }, ['path format']],
    ['no value', { path: 'parameters.x', op: 'eq' }, ['value required']],
    ['null, which is nothing', { path: 'parameters.x', op: 'ne', value: null }, ['value required']],
    ['one value for in', { path: 'parameters.x', op: 'in', value: 'a' }, ['value type']],
    ['a text without an order', { path: 'parameters.x', op: 'gt', value: 'big' }, ['value type']],
    ['anything but a yes or no for exists', { path: 'parameters.x', op: 'exists', value: 1 }, ['value type']],
  ])('with %s is refused with the path, also deep inside others', (_what, condition, problems) => {
    expect(problemsOf(when(condition))).toEqual(problems.map((problem) => `steps.1.condition.${problem}`));
    expect(problemsOf(when({ all: [{ not: { any: [condition] } }] }))).toEqual(
      problems.map((problem) => `steps.1.condition.all.0.not.any.0.${problem}`),
    );
  });

  it('reads only results that exist by then', () => {
    const met = ['parameters.anything.deep', 'run.name', 'steps.a.status', 'steps.a.result', 'steps.a.result.list.0'];
    for (const path of met) expect(problemsOf(when({ path, op: 'exists' }))).toEqual([]);
    expect(problemsOf(when({ path: 'parameters.x', op: 'gt', value: '2027-01-01' }))).toEqual([]);
  });
});

describe('a template', () => {
  it.each<[string, object, string]>([
    ['title', { title: '{{steps.b.result.x}}' }, 'title exists'],
    ['description', { description: 'see {{ secrets.key }}' }, 'description format'],
    ['priority', { priority: '{{}}' }, 'priority format'],
    ['due date', { due_date: '{{steps.a.started_at}}' }, 'due_date format'],
    ['tag', { tags: ['a', '{{steps.x.status}}'] }, 'tags.1 exists'],
    ['metadata', { metadata: { a: [{ b: '{{x}}' }] } }, 'metadata.a.0.b format'],
  ])('that asks in its %s for what is not there by then is refused with the path', (_where, text, problem) => {
    expect(problemsOf(says(text))).toEqual([`steps.1.task.${problem}`]);
  });

  it('may contain braces that are not placeholders', () => {
    expect(problemsOf(says({ description: 'if (a) {{ b(); } } {{' }))).toEqual([]);
  });
});

describe('a stored definition', () => {
  const kept = (more: object) => readDefinition(definition([step('a', [], more), step('b', ['a', 'a'])])).steps;

  it('sets retries: three attempts if there is an approval, otherwise one', () => {
    expect(kept({})[0]?.retry).toEqual({ max_attempts: 1, backoff: 0 });
    expect(kept({ approval: { person: true } })[0]?.retry).toEqual({ max_attempts: 3, backoff: 0 });
    expect(kept({ approval: { role: 'qa' }, retry: { max_attempts: 2 } })[0]?.retry).toEqual({
      max_attempts: 2,
      backoff: 0,
    });
  });

  it('lists each need once', () => {
    expect(kept({})[1]?.needs).toEqual(['a']);
  });

  it('is the same when it is read again', () => {
    const once = readDefinition(definition([step('a', [], { approval: { role: 'qa' } }), step('b', ['a'])]));
    expect(readDefinition(once)).toEqual(once);
  });
});

describe('the shipped workflows', () => {
  const folder = resolve(import.meta.dirname, '../../../../../prisma/seed/workflows');
  const shipped = readShippedWorkflows(folder);

  it('are the five documented ones', () => {
    expect(shipped.map(({ shippedAs }) => shippedAs)).toEqual([
      'bug-fix',
      'code-review',
      'feature-development',
      'incident-response',
      'release',
    ]);
    expect(readdirSync(folder)).toHaveLength(5);
  });

  it.each(shipped.map((one) => [one.shippedAs, one.definition] as const))(
    '%s works on rd, qa and pm alone, requires no parameter, and bounds the time of every step',
    (_name, { parameters, steps }) => {
      const roles = steps.flatMap(({ role, approval }) => [role, ...(approval?.role ? [approval.role] : [])]);
      expect(roles.filter((role) => !['rd', 'qa', 'pm'].includes(role))).toEqual([]);
      expect(Object.values(parameters).filter(({ required }) => required)).toEqual([]);
      const names = ['feature_description', 'priority', 'due_date', 'repository', 'ticket_id'];
      expect(Object.keys(parameters)).toEqual(expect.arrayContaining(names));
      expect(steps.filter(({ timeout, duration }) => timeout === undefined || timeout <= duration)).toEqual([]);
      expect(steps.filter(({ task: { contract } }) => !contract?.result_schema)).toEqual([]);
    },
  );
});
