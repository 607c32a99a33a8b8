import { join } from 'node:path';
import { runClientProgram } from '../client-program.ts';
import { contractFolder, runScript } from '../../foreign/run-tool.ts';
import { addCounts, oneCheck, type Suite } from '../suite.ts';

/** A client generated from the document alone: it must compile, and match the live system. */
export const generatedClient: Suite = {
  name: 'client',
  what: 'a client generated from the document compiles and works',
  async run(target) {
    const types = join(contractFolder, 'tmp', 'api.d.ts');
    const made = await runScript('openapi-typescript/bin/cli.js', [target.documentFile, '-o', types]);
    const compiled = await runScript('typescript/bin/tsc', ['-p', join(contractFolder, 'client', 'tsconfig.json')]);
    return addCounts([
      oneCheck(made.code === 0, made.output),
      oneCheck(compiled.code === 0, compiled.output),
      await runClientProgram('rest.test.ts', target),
    ]);
  },
};
