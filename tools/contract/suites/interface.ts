import { runClientProgram } from '../client-program.ts';
import type { Suite } from '../suite.ts';

/** Tests of the interface document, written by hand: neither our schemas nor a generated client are used. */
export const interfaceDocument: Suite = {
  name: 'interface',
  what: 'each statement of the interface document holds over plain HTTP',
  async run(target) {
    const counts = await runClientProgram('interface.test.ts', target);
    const { passed, failed, skipped } = counts;
    process.stdout.write(`interface: ${passed} of ${passed + failed + skipped} statements hold\n`);
    return counts;
  },
};
