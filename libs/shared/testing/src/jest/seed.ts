import fc from 'fast-check';
import { isCi } from '../systems/programs.ts';

// In CI the same random values each time: a red run is then about the change under test. A failure prints its seed.
const seed = process.env['TEST_SEED'] ?? (isCi ? '1' : undefined);
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
