// A cycle of folders without one of files, and an import from a folder of the same layer: tools/check-imports.ts must find them.
import { bottom } from '../bottom/imported.ts';
import { middle } from '../middle/imported.ts';

export const importing = (): string => `${bottom()} and ${middle}`;
