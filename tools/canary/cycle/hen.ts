// Half of an import cycle that tools/check-cycles.ts must find.
import { egg } from './egg.ts';

export const hen = (): string => `hen of ${egg.name}`;
