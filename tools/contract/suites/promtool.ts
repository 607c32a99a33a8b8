import { globSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '@eas/testing/programs';
import { repoFolder, runTool } from '../../foreign/run-tool.ts';
import { addCounts, missing, oneCheck, type Suite } from '../suite.ts';

const cwd = join(repoFolder, 'deploy/monitoring');

export const promtool: Suite = {
  name: 'promtool',
  what: 'Prometheus takes its configuration and the alert rules, and each alert fires when it should and only then',
  async run() {
    const program = findOnPath('promtool');
    if (!program) return missing('promtool');
    const tests = globSync('tests/*.test.yml', { cwd }).sort();
    const checks = [
      ['check', 'config', 'prometheus.yml'],
      ['check', 'rules', ...globSync('alerts/*.yml', { cwd }).sort()],
      ...tests.map((file) => ['test', 'rules', file]),
    ];
    const ended = await Promise.all(checks.map((args) => runTool(program, args, { cwd })));
    return addCounts(ended.map(({ code, output }) => oneCheck(code === 0, output)));
  },
};
