import { describe, expect, it } from '@jest/globals';
import { endsWithQuestion } from './question.ts';

describe('the last word of an agent', () => {
  it.each([
    'Which branch should I use?',
    'I read the code.\n\nWhich branch should I use?\n\n',
    'Shall I go on? (y/n)',
    'Shall I go on? [Y/n]',
    '**Which of the two?**',
    'Which of the two?\n\n1. The old one\n2. The new one',
    'Which of the two?\n- The old one\n- The new one\n',
    'I can do one of these:\n- the old one\n- the new one\n\nWhich one?',
    'I see two ways:\n- rename it?',
    'どちらにしますか？',
    'Is that right? 🙂',
  ])('%j is a question', (text) => expect(endsWithQuestion(text)).toBe(true));

  it.each([
    '',
    'Done.',
    'Why did it fail? Because of the cache. It is fixed.',
    'What changed?\n\nThe limit is 5 a minute now.',
    'See https://example.com/?a=1 for more.',
    '- one\n- two',
  ])('%j is none', (text) => expect(endsWithQuestion(text)).toBe(false));
});
