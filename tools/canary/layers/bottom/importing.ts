// An import from a higher layer: tools/check-imports.ts must find it.
import { top } from '../top/imported.ts';

export const importing = (): string => `upward to ${top}`;
