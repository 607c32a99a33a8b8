// A knot of folders without a cycle of files, an arrow upward and one to a neighbour: tools/check-cycles.ts must find them.
import { shelf } from '../cellar/shelf.ts';
import { hatch } from '../loft/hatch.ts';

export const roof = (): string => `${shelf()} under ${hatch}`;
