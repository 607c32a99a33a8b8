// `ct lint` of chart-testing: Chart.yaml fits its schema, Chart.yaml and values are clean YAML, `helm lint` takes the values in ci/.
import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { goTool, goToolSources } from '../foreign/go-tools.ts';
import { pythonPrograms } from '../foreign/python-tools.ts';
import { runTool } from '../foreign/run-tool.ts';
import { chartFolder } from './render.ts';

/** Prettier puts spaces inside braces, where the rules of chart-testing have none. */
const rulesOn = (sources: string): string => `extends: ${join(sources, 'etc/lintconf.yaml')}
rules:
  braces: { min-spaces-inside: 1, max-spaces-inside: 1, min-spaces-inside-empty: 0, max-spaces-inside-empty: 0 }
`;

async function lintFindings(chart: string, sources: string, rules: string): Promise<string[]> {
  const folders = [dirname(goTool('helm')), pythonPrograms('manifests'), process.env['PATH'] ?? ''];
  const { code, output } = await runTool(
    goTool('ct'),
    [
      ...['lint', '--charts', chart, '--skip-helm-dependencies', '--helm-lint-extra-args', '--strict'],
      ...['--chart-yaml-schema', join(sources, 'etc/chart_schema.yaml'), '--lint-conf', rules],
      // Maintainers are accounts of a site that is not reached.
      '--validate-maintainers=false',
    ],
    { env: { PATH: folders.join(delimiter) } },
  );
  return code === 0 ? [] : [output];
}

/** Texts that are appended to files of the chart, and a part of what must be reported then. */
const faults: readonly (readonly [file: string, text: string, report: string])[] = [
  ['Chart.yaml', 'engine: [gotpl]', 'is not a str'],
  ['values.yaml', 'sidecars: []', 'duplication of key "sidecars"'],
  ['ci/routes-values.yaml', 'replicas: 3', "additional properties 'replicas'"],
];

/** For the chart, and for copies with a fault each, the findings: none where all is as it has to be. */
export async function chartTestingFindings(go: string, folder: string): Promise<string[][]> {
  const sources = await goToolSources(go, 'ct');
  const rules = join(folder, 'lintconf.yaml');
  writeFileSync(rules, rulesOn(sources));
  const missed = faults.map(async ([file, text, report], index) => {
    const copy = join(folder, `chart-${index}`);
    cpSync(chartFolder, copy, { recursive: true });
    appendFileSync(join(copy, file), `${text}\n`);
    const findings = await lintFindings(copy, sources, rules);
    return findings.some((finding) => finding.includes(report)) ? [] : [`ct lint takes ${text} in ${file}`];
  });
  return Promise.all([lintFindings(chartFolder, sources, rules), ...missed]);
}
