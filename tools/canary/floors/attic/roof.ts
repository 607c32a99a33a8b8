// A cycle of folders without one of files, an import upward and one to a neighbour: tools/check-imports.ts must find them.
import { shelf } from '../cellar/shelf.ts';
import { hatch } from '../loft/hatch.ts';

export const roof = (): string => `${shelf()} under ${hatch}`;
