import { expect, it } from '@jest/globals';
import { descriptionIn } from './skills.ts';

it.each([
  ['---\nname: a\ndescription: "How we work."\n---\nText', 'How we work.'],
  ['# Notes\n\nText', 'Notes'],
  ['', ''],
  [`${'\n'.repeat(1_000)}late`, ''],
  ['x'.repeat(2_000), 'x'.repeat(500)],
])('the description of a skill is that of its front matter, else its first line: %j', (text, description) => {
  expect(descriptionIn(text)).toBe(description);
});
