// Half of an import cycle that tools/check-imports.ts must find.
import { egg } from './egg.ts';

export const hen = (): string => `hen of ${egg.name}`;
