// Half of an import cycle that tools/check-imports.ts must find.
import { first } from './first.ts';

export const second = (): string => `second, after ${first.name}`;
