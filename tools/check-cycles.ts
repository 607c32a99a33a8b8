// Fails on an import cycle between files, and if the cycle kept in tools/canary is not found.
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const CANARY = 'tools/canary/cycle';

async function violations(folders: string[], exclude: string[]): Promise<{ total: number; found: string[] }> {
  const config = await extractDepcruiseConfig(resolve(root, '.dependency-cruiser.cjs'));
  const options: ICruiseOptions = {
    ...config.options,
    ruleSet: { forbidden: config.forbidden ?? [] },
    validate: true,
    baseDir: root,
    exclude: { path: ['/dist/', '/generated/', ...exclude] },
  };
  const { output } = await cruise(folders, options, undefined, {
    tsConfig: extractTsConfig(resolve(root, 'tsconfig.json')),
  });
  const { summary } = output as ICruiseResult;
  const found = summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle ? cycle.map(({ name }) => name) : [to];
    return `${rule.name}: ${[from, ...path].join(' → ')}`;
  });
  return { total: summary.totalCruised, found: [...new Set(found)] };
}

const code = await violations(
  ['apps', 'libs', 'tools', 'bench'],
  [`^${CANARY}`, '^tools/contract/(client|tmp|node_modules)/', '^bench/peers/'],
);
const canary = await violations([CANARY], []);
for (const line of code.found) console.error(line);
const isCanaryFound = canary.found.some((line) => line.startsWith('no-cycle'));
if (!isCanaryFound) console.error(`the cycle of ${CANARY} was not found: this gate is broken`);
console.log(`${code.total} modules, ${code.found.length} cycles or unresolved imports`);
process.exitCode = code.found.length === 0 && isCanaryFound && code.total > 0 ? 0 : 1;
