// Breaks every lint rule once, each in a file where it must hold, and fails if one stays silent. Run through Nx
// (`nx run tools:canary`): without its project graph the boundary rule accepts everything, which is one thing found out here.
import { ESLint } from 'eslint';
import { resolve } from 'node:path';
import { brokenRules, keptRules, type BrokenRule } from './canary/broken-rules.ts';

const root = resolve(import.meta.dirname, '..');
const typed = [
  'await-thenable',
  'no-floating-promises',
  'no-misused-promises',
  'only-throw-error',
  'switch-exhaustiveness-check',
].map((name) => [`@typescript-eslint/${name}`, 'off'] as const);

// In CI typescript-eslint would read each file once from disk; the broken code is in memory only.
process.env['TSESTREE_SINGLE_RUN'] = 'false';
const withTypes = new ESLint({ cwd: root });
const withoutTypes = new ESLint({
  cwd: root,
  overrideConfig: {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: null } },
    rules: Object.fromEntries(typed),
  },
});

async function findings({ file, code, needsTypes }: BrokenRule): Promise<string[]> {
  const eslint = needsTypes ? withTypes : withoutTypes;
  const results = await eslint.lintText(code, { filePath: resolve(root, file) });
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => ruleId ?? message));
}

async function main(): Promise<void> {
  const problems: string[] = [];
  for (const broken of brokenRules) {
    const found = await findings(broken);
    if (!found.includes(broken.rule)) {
      problems.push(
        `${broken.rule} stayed silent: ${broken.why} in ${broken.file} (fired: ${found.join(', ') || 'nothing'})`,
      );
    }
  }
  for (const kept of keptRules) {
    if ((await findings(kept)).includes(kept.rule))
      problems.push(`${kept.rule} fired without reason: ${kept.why} in ${kept.file}`);
  }
  for (const problem of problems) console.error(problem);
  console.log(`${brokenRules.length} broken rules and ${keptRules.length} kept ones tried, ${problems.length} wrong`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

await main();
