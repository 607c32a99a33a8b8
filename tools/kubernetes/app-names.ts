import { resolve } from 'node:path';

// By its path: deploy is no project of the workspace.
const programs = resolve(import.meta.dirname, '../../deploy/container/programs.ts');
export const { appNames } = (await import(programs)) as { appNames: readonly string[] };
