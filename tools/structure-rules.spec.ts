import { describe, expect, it } from '@jest/globals';
import { fileFindings, folderWarnings, projectFindings } from './structure-rules.ts';

const good = { name: '@eas/tasks', root: 'libs/tasks', tags: ['type:feature', 'scope:tasks'], hasLint: true };

describe('projectFindings', () => {
  it('accepts a project with one type and one scope', () => {
    expect(projectFindings([good])).toEqual([]);
  });

  it('refuses an untagged project', () => {
    expect(projectFindings([{ ...good, tags: [] }])).toEqual([
      'project @eas/tasks needs exactly one type: tag',
      'project @eas/tasks needs exactly one scope: tag',
    ]);
  });

  it('refuses a tag without a rule', () => {
    expect(projectFindings([{ ...good, tags: ['type:feature', 'scope:billing'] }])).toEqual([
      'project @eas/tasks has the unknown tag scope:billing',
    ]);
  });

  it('refuses a project that is not linted', () => {
    expect(projectFindings([{ ...good, hasLint: false }])).toEqual(['project @eas/tasks has no lint target']);
  });

  it('refuses a project called utils', () => {
    expect(projectFindings([{ ...good, name: '@eas/utils' }])).toHaveLength(1);
  });
});

describe('fileFindings', () => {
  it('accepts kebab-case names with role suffixes', () => {
    expect(fileFindings(['libs/tasks/src/claim-task.int.spec.ts', 'libs/shared/core/src/clock.ts'])).toEqual([]);
  });

  it('refuses camelCase and vague words', () => {
    expect(fileFindings(['libs/tasks/src/claimTask.ts', 'libs/tasks/src/task.repository.ts'])).toEqual([
      'libs/tasks/src/claimTask.ts: file names are kebab-case',
      'libs/tasks/src/task.repository.ts: "repository" is not used in file names',
    ]);
  });
});

describe('folderWarnings', () => {
  it('names a folder of 26 files, which is not refused', () => {
    const files = Array.from({ length: 26 }, (_, index) => `libs/tasks/src/file-${index}.ts`);
    expect(folderWarnings(files)).toEqual([
      'warning: libs/tasks/src: 26 files: put those of one subject into a subfolder',
    ]);
    expect([fileFindings(files), folderWarnings(files.slice(1))]).toEqual([[], []]);
  });
});
