import { describe, expect, it } from '@jest/globals';
import { blocksOf } from './guide-blocks.ts';

const fence = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\`\n`;

describe('blocksOf', () => {
  it('reads commands with the output that is shown behind them', () => {
    const page = `# Page\n\n${fence('sh', 'a')}\n${fence('json', '{}')}\n${fence('json', '[]')}\n${fence('sh', 'b')}`;
    expect(blocksOf(page)).toEqual([
      { line: 3, mode: 'run', commands: 'a\n', shown: { kind: 'json', text: '{}\n' } },
      { line: 15, mode: 'run', commands: 'b\n' },
    ]);
  });

  it('recognises commands that must fail and those that are not run', () => {
    expect(blocksOf(fence('sh fails', 'a') + fence('sh by-hand', 'b # c')).map(({ mode }) => mode)).toEqual([
      'fails',
      'by-hand',
    ]);
    expect(() => blocksOf(fence('sh later', 'a'))).toThrow('line 1: sh later is none of run, fails, by-hand, serves');
  });

  it('reads programs with the command that starts them', () => {
    expect(blocksOf(fence('python a.py', 'x') + fence('sh serves', 'python3 a.py'))).toEqual([
      { line: 4, mode: 'serves', commands: 'python3 a.py\n', program: { file: 'a.py', text: 'x\n' } },
    ]);
    for (const page of [fence('sh serves', 'a'), fence('go a.go', 'x') + fence('sh', 'ls')]) {
      expect(() => blocksOf(page)).toThrow('a program needs the block "sh serves"');
    }
  });

  it('refuses what a shell would misread when it is pasted', () => {
    expect(() => blocksOf(fence('sh', '# a comment'))).toThrow('a comment');
    expect(() => blocksOf(fence('sh', 'ls # a comment'))).toThrow('a comment');
    expect(() => blocksOf(fence('sh', 'echo "Hello!you"'))).toThrow('"!"');
  });
});
