import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { codingAgents } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { presets, presetsTable } from './presets.ts';

const root = resolve(import.meta.dirname, '../../../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

describe('the presets', () => {
  it('are in the documentation as they are', () => {
    const [page, table] = [read('docs/services/agent-runner.md'), presetsTable()];
    const start = page.indexOf('| preset |');
    expect(page.slice(start, start + table.length)).toBe(table);
  });

  it('are all coding agents of the contract', () => {
    expect(presets.map(({ id }) => id)).toEqual(Object.keys(codingAgents));
  });

  it.each(presets.map((preset) => [preset.id, preset.npm] as const))(
    '%s is in the version that tools/real-agents tries',
    (_, { name, version, integrity }) => {
      const { packages } = JSON.parse(read('tools/real-agents/package-lock.json'));
      expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity });
    },
  );
});
