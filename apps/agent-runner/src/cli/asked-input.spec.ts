import { describe, expect, it } from '@jest/globals';
import { permissionOptions, wantedLines } from './asked-input.ts';

const edit = { tool: 'edit' as const, title: 'Edit' };
const long = Array.from({ length: 10 }, (_, at) => `${at}\n`).join('');

describe('a permission in the terminal', () => {
  it('shows the command, all files, and what changes in them', () => {
    const diff = [
      { path: 'a.ts', old_text: 'one\ntwo\n', new_text: 'one\n2\u001b[31m\n' },
      { path: 'b.ts', old_text: long, new_text: '' },
    ];
    const permission = { ...edit, command: 'sed -i …', diff, paths: ['a.ts', 'b.ts', '.env'] };
    expect(wantedLines({ permission })).toEqual([
      'Tool: edit',
      'Command: sed -i …',
      'Changes a.ts (+1 -1)',
      'Changes b.ts (+0 -10)',
      'File .env',
      '--- a.ts',
      '-two',
      '+2',
      '--- b.ts',
      ...['0', '1', '2', '3', '4', '5', '6', '7'].map((line) => `-${line}`),
      '-… 2 more lines',
    ]);
  });

  it('says what is allowed for the rest of the task', () => {
    const alwaysOf = (permission: typeof edit & { command?: string }) => permissionOptions({ permission })[1]?.label;
    expect(alwaysOf(edit)).toBe('Always for this task: the same title');
    expect(alwaysOf({ ...edit, command: 'ls' })).toBe('Always for this task: the same command');
  });
});
