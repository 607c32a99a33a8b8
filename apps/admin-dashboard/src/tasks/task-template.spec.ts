import { describe, expect, it } from '@jest/globals';
import { fieldsOf, newTaskOf, templateOf } from './task-template.ts';

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

describe('a template of a task', () => {
  const fields = {
    title: ' Fix it ',
    description: 'Do\nit',
    assigned_role: 'rd',
    project: 'prj_1',
    priority: 'high',
    tags: 'a, b,',
    due_date: '2026-11-20T10:00',
    reviewed: 'on',
  };

  it('stores the form without the due date, and restores it', () => {
    const task = newTaskOf(formOf(fields), {});
    expect(task).toMatchObject({ title: 'Fix it', tags: ['a', 'b'], contract: { review: { person: true } } });
    const template = templateOf(task);
    expect(template).not.toHaveProperty('due_date');
    expect(fieldsOf(template)).toEqual({
      title: 'Fix it',
      description: 'Do\nit',
      assigned_role: 'rd',
      project: 'prj_1',
      priority: 'high',
      tags: 'a, b',
      isReviewed: true,
      contract: {},
    });
  });

  it('keeps the parts of a contract that the form does not show', () => {
    const contract = { artifacts: ['pull_request'], review: { role: 'qa' } };
    const read = fieldsOf({ contract });
    expect(read.isReviewed).toBe(false);
    expect(newTaskOf(formOf({ title: 't' }), read.contract).contract).toEqual(contract);
  });

  it('is read even if something else was saved', () => {
    for (const data of [{}, { title: 1, tags: 'x', contract: [], priority: 'none' }, { contract: { review: null } }])
      expect(fieldsOf(data)).toMatchObject({ title: '', tags: '', priority: '', isReviewed: false });
  });

  it('leaves out empty fields, for the defaults of its project', () => {
    const task = newTaskOf(formOf({ ...fields, priority: '', tags: '', assigned_role: '' }), {});
    expect(Object.keys(task)).not.toEqual(expect.arrayContaining(['priority']));
    expect(task).not.toHaveProperty('tags');
    expect(task).toMatchObject({ project: 'prj_1', assigned_role: null });
  });
});
