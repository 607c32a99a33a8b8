import { createTaskBody, type StepDefinition } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { renderTask } from './render-task.ts';
import type { RunData } from './run-data.ts';

const step = (task: object, more: object = {}): StepDefinition => ({
  id: 'only',
  name: 'The step',
  role: 'rd',
  needs: [],
  retry: { max_attempts: 1, backoff: 0 },
  duration: 60,
  ...more,
  task: { title: 't', description: 'd', tags: [], metadata: {}, ...task },
});
const data = (parameters: Record<string, unknown> = {}): RunData => ({
  run: { name: 'Login' },
  parameters,
  steps: { test: { status: 'completed', result: { report: { failures: [1, 2] }, passed: false } } },
});

describe('the task of a step', () => {
  it('is its template filled in with the data of the run', () => {
    const rendered = renderTask(
      step({
        title: 'Fix {{ parameters.ticket_id }} for {{run.name}}',
        description: 'Passed: {{steps.test.result.passed}} {{steps.test.result.report}}',
        priority: '{{parameters.priority}}',
        due_date: '{{parameters.due_date}}',
        tags: ['fix', '{{parameters.ticket_id}}'],
      }),
      data({ ticket_id: 'AB-1', priority: 'urgent', due_date: '2027-01-01' }),
    );
    expect(rendered).toEqual({
      title: 'Fix AB-1 for Login',
      description: 'Passed: false {"failures":[1,2]}',
      priority: 'urgent',
      due_date: new Date('2027-01-01T00:00:00Z'),
      assigned_role: 'rd',
      tags: ['fix', 'AB-1'],
      metadata: {},
    });
  });

  it('has the original values in its metadata, and omits missing ones', () => {
    const metadata = {
      failures: '{{steps.test.result.report.failures}}',
      text: 'run {{run.name}}{{parameters.none}}',
      ticket_id: '{{parameters.ticket_id}}',
      nested: { list: ['{{parameters.none}}', '{{steps.test.result.passed}}', 7], none: '{{parameters.none}}' },
    };
    expect(renderTask(step({ metadata }), data({ none: null })).metadata).toEqual({
      failures: [1, 2],
      text: 'run Login',
      nested: { list: [false, 7] },
    });
  });

  it('keeps any key of its metadata, at any depth', () => {
    const metadata = JSON.parse('{"__proto__":["{{run.name}}"],"constructor":{"__proto__":1}}') as object;
    const rendered = renderTask(step({ metadata }), data()).metadata;
    expect(JSON.stringify(rendered)).toBe('{"__proto__":["Login"],"constructor":{"__proto__":1}}');
  });

  it('has the name of its step if its texts are empty', () => {
    const empty = '{{parameters.none}} ';
    const task = { title: empty, description: empty, tags: [empty], priority: empty, due_date: empty };
    expect(renderTask(step({ ...task, project: empty }), data())).toEqual({
      title: 'The step',
      description: 'The step',
      due_date: null,
      assigned_role: 'rd',
      metadata: {},
    });
  });

  it("omits a priority and a due date if the run's values are invalid", () => {
    const task = { priority: '{{parameters.p}}', due_date: '{{parameters.d}}' };
    const { priority, due_date: dueDate } = renderTask(step(task), data({ p: 'whenever', d: '2027-02-30' }));
    expect([priority, dueDate]).toEqual([undefined, null]);
  });

  it('suggests the project that it names, otherwise that of its workflow, and ignores a text that is not an ID', () => {
    const [own, other] = ['prj_01ks0000000000000000000000', 'prj_01ks0000000000000000000001'];
    const suggested = (project: object, workflow: object, parameters = {}) =>
      renderTask(step(project), data(parameters), workflow).suggested_project;
    expect(suggested({ project: own }, { project: other })).toBe(own);
    expect(suggested({}, { project: ` {{parameters.p}} ` }, { p: other })).toBe(other);
    expect(suggested({ project: '{{parameters.p}}' }, { project: other })).toBeUndefined();
    expect(suggested({ project: 'web' }, {})).toBeUndefined();
    expect(suggested({}, {})).toBeUndefined();
  });

  it('has the contract of the template, reviewed by who approves', () => {
    const result_schema = { type: 'object' };
    const contract = { artifacts: ['commit'], result_schema };
    expect(renderTask(step({ contract }, { approval: { role: 'qa' } }), data()).contract).toEqual({
      ...contract,
      review: { role: 'qa' },
    });
    expect(renderTask(step({ contract }), data()).contract).toEqual(contract);
    expect(renderTask(step({}, { approval: { person: true } }), data()).contract).toEqual({ review: { person: true } });
    expect(renderTask(step({}), data())).not.toHaveProperty('contract');
  });

  it('is cut to the limits of a task, between characters', () => {
    const { title, tags } = renderTask(
      step({ title: '{{parameters.long}}', tags: ['{{parameters.long}}'] }),
      data({ long: `x${'🙂'.repeat(5_000)}` }),
    );
    expect([title.length, tags?.[0]?.length]).toEqual([499, 63]);
    expect(title.isWellFormed()).toBe(true);
  });

  it('reads a long text only as often as it fits, however often it is asked for', () => {
    const times = '{{parameters.long}}'.repeat(3_000);
    const list = Array.from({ length: 2_000 }, () => 'a{{parameters.long}}');
    let reads = 0;
    const parameters = {
      get long() {
        reads += 1;
        return 'y'.repeat(30_000);
      },
    };
    const metadata = { first: 1, list, after: '{{parameters.long}}' };
    const task = renderTask(step({ title: times, description: times, metadata }), data(parameters));
    expect([task.title.length, task.description.length]).toEqual([500, 65_536]);
    expect(Buffer.byteLength(JSON.stringify(task.metadata))).toBeLessThanOrEqual(64 * 1024);
    expect(task.metadata).toEqual({ first: 1 });
    expect(reads).toBeLessThan(10);
  });

  it('is always one that could be created by API', () => {
    const path = fc.constantFrom(
      'parameters.a',
      'parameters.b.c',
      'steps.test.result',
      'steps.x.status',
      'run.name',
      '',
    );
    const text = fc
      .array(
        fc.oneof(
          path.map((one) => `{{${one}}}`),
          fc.string({ unit: 'binary' }),
          fc.constantFrom('{{', '}}', '{'),
        ),
      )
      .map((parts) => parts.join(''));
    const template = fc.record({
      title: text,
      description: text,
      priority: text,
      due_date: text,
      project: text,
      tags: fc.array(text, { maxLength: 50 }),
      metadata: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.oneof(text, fc.array(text)), {
        noNullPrototype: true,
      }),
    });
    const value = fc.jsonValue({ stringUnit: 'binary' });
    fc.assert(
      fc.property(template, value, value, (task, a, b) => {
        const {
          due_date: dueDate,
          suggested_project: _suggested,
          ...rendered
        } = renderTask(step(task), data({ a, b: { c: b } }));
        const body = { ...rendered, due_date: dueDate?.toISOString() ?? null };
        expect(createTaskBody.safeParse(body).error?.issues).toBeUndefined();
        const texts = [rendered.title, rendered.description, ...(rendered.tags ?? [])].join('');
        expect([texts.isWellFormed(), texts.includes('\0')]).toEqual([true, false]);
      }),
    );
  });
});
