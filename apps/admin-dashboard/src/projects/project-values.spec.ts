import { describe, expect, it } from '@jest/globals';
import type { Project } from '../resources/project-queries.ts';
import { bodyOf, newProject, newRepository, repositoriesOf, shortNameOf, textsOf } from './project-values.ts';

const repository = {
  checks: [{ timeout_seconds: 60, command: 'npm test', name: 'tests' }],
  copy_files: ['.env'],
  setup: 'npm ci',
  base_branch: 'main',
  url: 'https://github.com/acme/web.git',
};
const project: Project = {
  id: 'prj_1',
  name: 'Shop',
  description: null,
  repositories: [repository],
  defaults: { priority: 'high', tags: ['a', 'b'] },
  max_rework_rounds: 3,
  version: 1,
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  archived_at: null,
};

function formOf(texts: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(texts)) form.set(name, value);
  return form;
}

describe('the form of a project', () => {
  it('returns what it began with, and null for empty fields', () => {
    expect(bodyOf(formOf(textsOf(project)))).toEqual({
      name: 'Shop',
      description: null,
      repositories: [repository],
      defaults: { assigned_role: null, priority: 'high', tags: ['a', 'b'] },
      max_rework_rounds: 3,
    });
  });

  it('begins with one repository, which needs an address', () => {
    expect(bodyOf(formOf({ ...newProject, name: ' Shop ' }))).toMatchObject({
      name: 'Shop',
      repositories: [newRepository],
    });
    expect(repositoriesOf('')).toEqual([]);
  });
});

it.each([
  ['https://github.com/acme/web.git', 'acme/web'],
  ['git@github.com:acme/web.git', 'acme/web'],
  ['ssh://git@host/group/sub/web', 'sub/web'],
  ['/srv/git/acme/web.git', 'acme/web'],
  ['web', 'web'],
])('%s is shown as %s', (url, shown) => expect(shortNameOf(url)).toBe(shown));
