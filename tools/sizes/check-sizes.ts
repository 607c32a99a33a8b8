// Prints the lengths of files and functions and the share of comments, and fails when they exceed their limits.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { quantileOf, sizesOf } from './sizes.ts';

const root = resolve(import.meta.dirname, '../..');
const isOurs = (file: string): boolean =>
  !/\.(spec|fixture)\.ts$|\/(test|contract\/client|generated|dist|tmp|node_modules)\//.test(file);

const sizes = globSync('{apps,libs,tools,bench,deploy}/**/*.{ts,tsx}', { cwd: root })
  .filter(isOurs)
  .map((file) => ({ file, ...sizesOf(readFileSync(resolve(root, file), 'utf8'), file) }));
const total = (of: 'lines' | 'commentLines'): number => sizes.reduce((sum, file) => sum + file[of], 0);
const files = sizes.map(({ lines }) => lines);
const isMarkup = ({ file }: { file: string }): boolean => file.endsWith('.tsx');
const functions = sizes.filter((one) => !isMarkup(one)).flatMap((one) => one.functions);
const components = sizes.filter(isMarkup).flatMap((one) => one.functions);

/** What is measured, and the most that it may be. */
const measures: [string, number, number][] = [
  ['lines of a file, median', quantileOf(files, 0.5), 45],
  ['lines of a file, p90', quantileOf(files, 0.9), 110],
  ['lines of a function, p90', quantileOf(functions, 0.9), 20],
  ['lines of a component, p90', quantileOf(components, 0.9), 45],
  ['comment lines of 100', Math.round((1_000 * total('commentLines')) / total('lines')) / 10, 8],
];
for (const [what, value, most] of measures) console.log(`${what}: ${value} (at most ${most})`);
console.log(`${files.length} files, ${functions.length + components.length} functions, ${total('lines')} lines`);
if (files.length === 0 || measures.some(([, value, most]) => value > most)) process.exitCode = 1;
