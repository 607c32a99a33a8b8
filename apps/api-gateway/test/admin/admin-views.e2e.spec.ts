import { describe, expect, it } from '@jest/globals';
import { expectError, useGateway } from '../gateway.ts';

const gateway = useGateway();
const path = '/admin/api/views';
const view = { kind: 'task_view', name: 'Urgent', data: { priority: 'critical', tags: [{ deep: null }] } };

describe('saved views', () => {
  it('are kept under their name, and saved again in place of what was there', async () => {
    const first = await gateway.make(path, view);
    expect(first).toEqual({
      ...view,
      id: expect.stringMatching(/^viw_/),
      created_at: expect.any(String),
      updated_at: first.created_at,
    });
    const again = await gateway.make(path, { ...view, data: { status: 'open' } });
    expect(again).toMatchObject({ id: first.id, data: { status: 'open' }, created_at: first.created_at });
    const template = await gateway.make(path, { ...view, kind: 'task_template' });
    expect(template.id).not.toBe(first.id);
    expect((await gateway.get(path)).body.data.map(({ id }: { id: string }) => id)).toEqual([template.id, first.id]);
    expect((await gateway.send('DELETE', `${path}/${template.id}`)).status).toBe(204);
    expect((await gateway.get(path)).body).toEqual({ data: [again] });
    expectError(await gateway.send('DELETE', `${path}/${template.id}`), 404, 'not_found');
  });

  it('belong to the user who saved them', async () => {
    const { id } = await gateway.make(path, view);
    const key = await gateway.makeKey(['tasks:read']);
    const asOther = { key };
    expect((await gateway.get(path, asOther)).body).toEqual({ data: [] });
    expectError(await gateway.send('DELETE', `${path}/${id}`, undefined, asOther), 404, 'not_found');
    expect((await gateway.get(path)).body.data).toHaveLength(1);
  });

  it('are refused for what is wrong in them', async () => {
    const cases: [object, string, string][] = [
      [{ kind: 'other' }, 'kind', 'enum'],
      [{ name: ' ' }, 'name', 'required'],
      [{ name: 'x'.repeat(101) }, 'name', 'max_length'],
      [{ data: { text: 'x'.repeat(65_536) } }, 'data', 'max_size'],
    ];
    for (const [over, field, constraint] of cases)
      expectError(await gateway.post(path, { ...view, ...over }), 400, 'invalid_input', { field, constraint });
  });

  it('are limited to 200 of a caller, and each of them can still be overwritten', async () => {
    const key = await gateway.makeKey(['tasks:read']);
    const save = (name: string) => gateway.post(path, { ...view, name }, { key });
    const owner = (await save('0')).body.id;
    await gateway.test.database.db.query(
      `INSERT INTO saved_views (tenant_id, id, owner_id, kind, name, data)
       SELECT tenant_id, id || n, owner_id, kind, n::text, data FROM saved_views, generate_series(1, 199) AS n WHERE id = $1`,
      [owner],
    );
    expectError(await save('one more'), 409, 'conflict', { field: 'name', constraint: 'limit' });
    expect((await save('7')).status).toBe(201);
    expect((await gateway.get(path, { key })).body.data).toHaveLength(200);
  });
});
