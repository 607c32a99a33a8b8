import { resolve } from 'node:path';

type Programs = { appNames: readonly string[]; programs: Readonly<Record<string, readonly string[]>> };

// By its path: deploy is no project of the workspace.
export const { appNames, programs } = (await import(
  resolve(import.meta.dirname, '../../deploy/container/programs.ts')
)) as Programs;
