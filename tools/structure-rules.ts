// The shape of the workspace, as findings over plain data; tools/check-structure.ts collects the data.
import { SCOPES, TYPES } from './eslint/boundaries.mjs';

export type Project = { name: string; root: string; tags: readonly string[]; hasLint: boolean };

const MANY_FILES = 25;
const VAGUE = ['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'misc'];
const ROLES_NOT_USED = ['service', 'manager', 'repository', 'controller'];
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;

/** One line per project without tags, with wrong tags, without lint, or with a vague name. */
export function projectFindings(projects: readonly Project[]): string[] {
  return projects.flatMap(({ name, root, tags, hasLint }) => {
    const findings: string[] = [];
    const of = (prefix: string): string[] => tags.filter((tag) => tag.startsWith(prefix));
    if (of('type:').length !== 1) findings.push(`project ${name} needs exactly one type: tag`);
    if (of('scope:').length !== 1) findings.push(`project ${name} needs exactly one scope: tag`);
    for (const tag of tags) {
      if (!(tag in TYPES) && !(tag in SCOPES)) findings.push(`project ${name} has the unknown tag ${tag}`);
    }
    if (!hasLint) findings.push(`project ${name} has no lint target`);
    const words = [name.split('/').at(-1) ?? name, root.split('/').at(-1) ?? root];
    if (words.some((word) => VAGUE.includes(word))) findings.push(`project ${name} (${root}) is named after nothing`);
    return findings;
  });
}

const isSource = (file: string): boolean => /\.(ts|tsx|mjs|cjs|js)$/.test(file); // samples and migrations may be many

/** One line per file that is misnamed; paths are relative to the workspace. */
export function fileFindings(files: readonly string[]): string[] {
  const findings: string[] = [];
  for (const file of files.filter(isSource)) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    if (!KEBAB.test(name)) findings.push(`${file}: file names are kebab-case`);
    const words = name.split(/[.-]/);
    const vague = [...VAGUE, ...ROLES_NOT_USED].filter((word) => word !== 'shared' && words.includes(word));
    for (const word of vague) findings.push(`${file}: "${word}" is not used in file names`);
  }
  return findings;
}

/** One line per folder in which there may be a second subject. */
export function folderWarnings(files: readonly string[]): string[] {
  const folders = Map.groupBy(files.filter(isSource), (file) => file.slice(0, Math.max(file.lastIndexOf('/'), 0)));
  return [...folders].flatMap(([folder, { length }]) =>
    length > MANY_FILES ? [`warning: ${folder}: ${length} files: put those of one subject into a subfolder`] : [],
  );
}
