// The commands of a Markdown page and the outputs that it shows; pure, so that it can be tested.

/**
 * `fails`: the last command must fail; `by-hand`: not run; `serves`: starts the program of the block before it, whose fence
 * names its file (run-program.ts). `shown`: the `json` or `text` block after this `sh` one.
 */
export type Block = {
  line: number;
  mode: 'run' | 'fails' | 'by-hand' | 'serves';
  commands: string;
  shown?: { kind: 'json' | 'text'; text: string };
  program?: { file: string; text: string };
};

const MODES = ['run', 'fails', 'by-hand', 'serves'] as const;

/** All blocks of a page in their order; throws on a fence that it does not know and on what zsh or bash would misread. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  let program: Block['program'];
  for (const { language, word, text, line } of fencesOf(page)) {
    if (language === 'sh') {
      const mode = MODES.find((known) => known === (word || 'run'));
      if (!mode) throw new Error(`line ${line}: sh ${word} is none of ${MODES.join(', ')}`);
      if (mode !== 'by-hand') assertCanBePasted(text, line);
      if ((mode === 'serves') !== (program !== undefined)) {
        throw new Error(`line ${line}: a program needs the block "sh serves" after it, and "sh serves" a program`);
      }
      blocks.push({ line, mode, commands: text, ...(program ? { program } : {}) });
      isOpen = mode === 'run' || mode === 'fails';
      program = undefined;
    } else if (word.includes('.')) {
      program = { file: word, text };
    } else if (isOpen && (language === 'json' || language === 'text')) {
      const last = blocks.at(-1);
      if (last) last.shown = { kind: language, text };
      isOpen = false;
    }
  }
  return blocks;
}

type Fence = { language: string; word: string; text: string; line: number };

const fencesOf = (page: string): Fence[] =>
  [...page.matchAll(/^```(\w+)(?: ([\w.-]+))?\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? '',
    word: match[2] ?? '',
    text: match[3] ?? '',
    line: page.slice(0, match.index).split('\n').length,
  }));

/** An interactive zsh runs comments as commands, and both shells replace `!word` by an earlier command. */
function assertCanBePasted(commands: string, line: number): void {
  if (/^\s*#|\s# /m.test(commands)) throw new Error(`line ${line}: a comment between commands; zsh would run it`);
  if (/![^\s='"(]/.test(commands)) throw new Error(`line ${line}: a "!" would be replaced by an earlier command`);
}
