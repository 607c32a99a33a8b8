import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractFolder, runScript } from '../../foreign/run-tool.ts';
import { oneCheck, type Suite } from '../suite.ts';

const rules = (name: string): string => join(contractFolder, 'rules', name);

export const spectral: Suite = {
  name: 'spectral',
  what: 'Spectral finds nothing in the served document',
  async run({ documentFile }) {
    const { code, output } = await runScript('@stoplight/spectral-cli/dist/index.js', [
      'lint',
      documentFile,
      '--ruleset',
      rules('spectral.yaml'),
      '--fail-severity=hint',
    ]);
    return oneCheck(code === 0, output);
  },
};

export const redocly: Suite = {
  name: 'redocly',
  what: 'Redocly finds nothing in the served document',
  isForReleases: true,
  async run({ documentFile }) {
    const { code, output } = await runScript('@redocly/cli/bin/cli.js', [
      'lint',
      documentFile,
      '--config',
      rules('redocly.yaml'),
      '--format=stylish',
    ]);
    const warnings = /You have \d+ warnings?/.test(output);
    return oneCheck(code === 0 && !warnings && readFileSync(documentFile).length > 0, output);
  },
};
