import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { agentScene, eventsOf } from './agent-scene.ts';

const gateway = useGateway();
const answer = (inputId: string, body: object) => gateway.post(`/v1/inputs/${inputId}/answer`, body);
const form = {
  type: 'object',
  properties: {
    database: { type: 'string', title: 'Database', enum: ['Postgres', 'SQLite'] },
    database_custom: { type: 'string', title: 'Other' },
    regions: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'eu', title: 'Europe' },
          { const: 'us', title: 'America' },
        ],
      },
    },
    port: { type: 'integer', minimum: 1, maximum: 65_535, default: 5_432 },
    tls: { type: 'boolean' },
  },
  required: ['regions'],
};
const asking = { kind: 'form', prompt: 'How is it to be set up?', form };

describe('a form', () => {
  it('parks the lease, and is answered as a whole with values of its fields', async () => {
    const { hold, ask, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    const asked = await ask(lease, asking);
    expect([asked.status, asked.body.expires_at]).toEqual([201, null]);
    const { input } = asked.body;
    // The fields stay in their order.
    expect(Object.keys(input.form.properties)).toEqual(Object.keys(form.properties));
    expect(input).toMatchObject({
      kind: 'form',
      form,
      options: [],
      status: 'pending',
      content: null,
      permission: null,
    });
    expect((await ask(lease, asking)).body.input).toEqual(input);
    expect((await readTask(task.id)).waiting_on).toMatchObject({ kind: 'person', id: input.id });
    for (const [, data] of (await eventsOf(gateway, task.id)).slice(-2))
      expect(data).toMatchObject({ kind: 'form', form });
    const content = { regions: ['us', 'eu'], database_custom: 'CockroachDB', port: 26_257, tls: false };
    const said = await answer(input.id, { content, comment: 'For now.' });
    expect(said.body).toMatchObject({ status: 'answered', content, answer: null, decision: null, comment: 'For now.' });
    expect((await answer(input.id, { content, comment: 'For now.' })).body).toEqual(said.body);
    const { directives } = (await call(lease, 'heartbeat')).body;
    expect(directives).toMatchObject([{ kind: 'answer', input_id: input.id, content, comment: 'For now.' }]);
    const timeline = (await gateway.get(`/v1/tasks/${task.id}/timeline?type=answer`)).body.data;
    expect(timeline).toMatchObject([{ input_id: input.id, content }]);
    const resumed = (await call(lease, 'resume')).body;
    expect(resumed.context.answers).toMatchObject([{ kind: 'form', prompt: asking.prompt, content, answer: null }]);
  });

  it.each<[string, object, string, string]>([
    ['without its fields', { form: undefined }, 'form', 'required'],
    ['with options of a choice', { options: ['a', 'b'] }, 'options', 'max_length'],
    ['of another kind', { kind: 'question' }, 'form', 'unknown_field'],
    [
      'with a field of an unknown type',
      { form: { properties: { a: { type: 'file' } } } },
      'form.properties.a.type',
      'enum',
    ],
    ['without a field', { form: { properties: {} } }, 'form.properties', 'min_length'],
    [
      'with an expression',
      { form: { properties: { a: { type: 'string', pattern: '(a+)+$' } } } },
      'form.properties.a.pattern',
      'unknown_field',
    ],
    [
      'that requires what it does not ask for',
      { form: { properties: { a: { type: 'string' } }, required: ['b'] } },
      'form.required.0',
      'enum',
    ],
  ])('%s is refused, and changes nothing', async (_, more, field, constraint) => {
    const { hold, ask } = await agentScene(gateway);
    const { lease } = await hold();
    const before = await gateway.rows();
    expectError(await ask(lease, { ...asking, ...more }), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });

  it.each<[string, object, string, string]>([
    ['without content', {}, 'content', 'required'],
    ['with a text', { answer: 'Europe' }, 'content', 'required'],
    ['with an additional decision', { content: { regions: [] }, decision: 'approve' }, 'decision', 'unknown_field'],
    ['without a required field', { content: { tls: true } }, 'content.regions', 'required'],
    ['with what is no option', { content: { regions: ['Europe'] } }, 'content.regions', 'enum'],
    ['with another type', { content: { regions: [], port: '80' } }, 'content.port', 'type'],
    ['out of its bounds', { content: { regions: [], port: 65_536 } }, 'content.port', 'max'],
    ['with a field that it does not have', { content: { regions: [], other: 1 } }, 'content.other', 'unknown_field'],
    ['with an object', { content: { regions: {} } }, 'content.regions', 'type'],
  ])('answered %s is refused, and waits on', async (_, body, field, constraint) => {
    const { hold, ask } = await agentScene(gateway);
    const { lease } = await hold();
    const { input } = (await ask(lease, asking)).body;
    const before = await gateway.rows();
    expectError(await answer(input.id, body), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
    expect((await gateway.get(`/v1/inputs/${input.id}`)).body.status).toBe('pending');
  });

  it('names every invalid field', async () => {
    const { hold, ask } = await agentScene(gateway);
    const { lease } = await hold();
    const { input } = (await ask(lease, asking)).body;
    const { errors } = (await answer(input.id, { content: { port: 0, tls: 'yes' } })).body.error;
    expect(errors.map(({ field }: Json) => field)).toEqual(['content.regions', 'content.port', 'content.tls']);
  });

  it('that is closed takes no other answer', async () => {
    const { hold, ask } = await agentScene(gateway);
    const { lease } = await hold();
    const { input } = (await ask(lease, asking)).body;
    await answer(input.id, { content: { regions: ['eu'] } });
    const before = await gateway.rows();
    const closed = { field: 'status', constraint: 'state' };
    expectError(await answer(input.id, { content: { regions: ['us'] } }), 409, 'conflict', closed);
    expect(await gateway.rows()).toEqual(before);
  });
});
