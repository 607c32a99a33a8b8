import type { Schemas } from '../api/client.ts';
import { inOrder as checkInOrder } from '../resources/checks/check.ts';
import { listOf } from '../resources/edit/list-of.ts';
import type { Project } from '../resources/project-queries.ts';
import { priorities } from '../resources/task-words.ts';
import { textIn } from '../resources/edit/text-in.ts';

export type Repository = Project['repositories'][number];

/** Names of the fields of the form. `repositories`: a hidden field with all of them as JSON. */
export const labels = {
  name: 'Name',
  description: 'Description',
  assigned_role: 'Role',
  priority: 'Priority',
  tags: 'Tags',
  max_rework_rounds: 'Rounds of rework',
  repositories: 'Repositories',
};
export type FieldName = keyof typeof labels;
export type ProjectTexts = Record<FieldName, string>;

export const newRepository: Repository = { url: '', base_branch: 'main', setup: null, copy_files: [], checks: [] };

const jsonOf = (repositories: readonly Repository[]) => JSON.stringify(repositories, null, 2);

export const newProject: ProjectTexts = {
  name: '',
  description: '',
  assigned_role: '',
  priority: '',
  tags: '',
  max_rework_rounds: '3',
  repositories: jsonOf([newRepository]),
};

export const textsOf = ({ name, description, defaults, repositories, ...project }: Project): ProjectTexts => ({
  name,
  description: description ?? '',
  assigned_role: defaults.assigned_role ?? '',
  priority: defaults.priority ?? '',
  tags: (defaults.tags ?? []).join(', '),
  max_rework_rounds: String(project.max_rework_rounds),
  repositories: jsonOf(repositories.map(inOrder)),
});

/** Versions are compared as texts: the API orders fields in its own way. */
const inOrder = ({ url, base_branch, setup, copy_files, checks }: Repository): Repository => ({
  url,
  base_branch,
  setup,
  copy_files,
  checks: checks.map(checkInOrder),
});

/** Reads the field of all repositories; invalid ones are left out. */
export function repositoriesOf(text: string): Repository[] {
  const parsed = JSON.parse(text || '[]') as unknown;
  return Array.isArray(parsed) ? (parsed as Repository[]).map((one) => ({ ...newRepository, ...one })) : [];
}

/** The text of all repositories as the hidden field has it. */
export const textOfRepositories = (repositories: readonly Repository[]) => jsonOf(repositories.map(inOrder));

/** The project that a form describes: empty fields are left out, and null removes one that the project has. */
export function bodyOf(form: FormData) {
  const textOf = (name: FieldName) => textIn(form, name);
  const tags = listOf(textOf('tags'));
  const rounds = textOf('max_rework_rounds');
  return {
    name: textOf('name'),
    description: textOf('description') || null,
    repositories: repositoriesOf(textOf('repositories')),
    defaults: {
      assigned_role: textOf('assigned_role') || null,
      priority: priorities.find((one) => one === textOf('priority')) ?? null,
      tags: tags.length > 0 ? tags : null,
    },
    ...(rounds === '' ? {} : { max_rework_rounds: Number(rounds) }),
  } satisfies Schemas['ChangeProject'];
}

/** `owner/name` of an address, for lists. */
export function shortNameOf(url: string): string {
  const [, path = url] = /^(?:[a-z]+:\/\/[^/]+\/|[^/]*:|\/)(.+)$/i.exec(url) ?? [];
  return path
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2)
    .join('/');
}
