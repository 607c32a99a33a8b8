import { describe, expect, it } from '@jest/globals';
import type { Integration } from '../resources/integrations/integration-names.ts';
import { bodyOf, labelsOf, textsOf } from './integration-values.ts';

const host: Integration = {
  id: 'int_1',
  type: 'github',
  status: 'active',
  connected_at: '2026-11-20T10:00:00.000Z',
  org_name: 'acme',
  repositories: ['web', 'api'],
  labels: { bug: 'fixer', 'a = b': 'worker' },
  silence_alarm_hours: 5,
};
const platform: Integration = { ...host, type: 'taskplatform', write_back: { status: { completed: false } } };

const formOf = (entries: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  Object.entries(entries).forEach(([name, value]) => form.set(name, value));
  return form;
};

describe('the fields of an integration', () => {
  it('are texts that give the same settings when they are sent back', () => {
    expect(textsOf(host)).toEqual({
      org_name: 'acme',
      repositories: 'web, api',
      labels: 'bug = fixer\na = b = worker',
      complete_on_merge: '',
      silence_alarm_hours: '5',
    });
    expect(bodyOf('github', formOf(textsOf(host)), host)).toEqual({
      org_name: 'acme',
      repositories: ['web', 'api'],
      labels: { bug: 'fixer', 'a = b': 'worker' },
      complete_on_merge: false,
      silence_alarm_hours: 5,
    });
  });

  it('become null, and entries of a map too, when they were emptied', () => {
    const body = bodyOf('github', formOf({ org_name: 'acme', labels: 'bug = fixer' }), host);
    expect(body).toMatchObject({
      repositories: null,
      silence_alarm_hours: null,
      labels: { bug: 'fixer', 'a = b': null },
    });
  });

  it('are left out of a new integration when they are empty', () => {
    expect(bodyOf('taskplatform', formOf({ 'write_back.comments': 'on', token: '' }))).toEqual({});
  });

  it('never hold a secret, which stays as it is when nothing is typed', () => {
    expect(Object.keys(labelsOf('slack'))).toEqual(['workspace_name', 'channels', 'events']);
    expect(bodyOf('slack', formOf({ workspace_name: 'Acme' }), { ...host, type: 'slack' })).toEqual({
      workspace_name: 'Acme',
    });
  });
});

describe('what is reported to the platform', () => {
  it.each([
    [{}, { status: { completed: null }, comments: false }],
    [{ 'write_back.comments': 'on' }, { status: { completed: null }, comments: true }],
    [{ 'write_back.status.completed': ' shipped ' }, { status: { completed: 'shipped' }, comments: false }],
    [
      { 'write_back.status.completed': 'shipped', 'write_back.keeps_status': 'on' },
      { status: { completed: false }, comments: false },
    ],
  ])('for the form %j is %j', (entries, writeBack) => {
    expect(bodyOf('taskplatform', formOf(entries), platform)['write_back']).toEqual(writeBack);
  });

  it('shows a status that is left as it is', () => {
    expect(textsOf(platform)).toMatchObject({ 'write_back.keeps_status': 'on', 'write_back.comments': 'on' });
  });
});
