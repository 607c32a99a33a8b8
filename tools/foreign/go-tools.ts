// Programs that exist as Go modules only, built from their sources next to the npm packages. The module proxy's checksums hold them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractFolder, runTool } from './run-tool.ts';

const folder = join(contractFolder, 'node_modules/.go');

/** The module of each program, and the folder in it with its main package. */
const programs = {
  ct: ['github.com/helm/chart-testing/v3@v3.14.0', './ct'],
  helm: ['helm.sh/helm/v4@v4.3.1', './cmd/helm'],
  'helm-docs': ['github.com/norwoodj/helm-docs@v1.14.2', './cmd/helm-docs'],
  'helm-unittest': ['github.com/helm-unittest/helm-unittest@v1.1.2', './cmd/helm-unittest'],
  'kube-score': ['github.com/zegl/kube-score@v1.20.0', './cmd/kube-score'],
  kubeconform: ['github.com/yannh/kubeconform@v0.8.0', './cmd/kubeconform'],
  kustomize: ['sigs.k8s.io/kustomize/kustomize/v5@v5.8.1', '.'],
} as const;

type GoTool = keyof typeof programs;

export const goTool = (name: GoTool): string => join(folder, 'bin', name);

/** The folder of the sources of a program. */
export const goToolSources = (go: string, name: GoTool): Promise<string> => goModuleFolder(go, programs[name][0]);

/** Builds what is not built yet: minutes on a new machine, with Go 1.26 or newer. Throws when it cannot. */
export async function installGoTools(go: string, say: (line: string) => void): Promise<void> {
  const stampFile = join(folder, '.eas-stamp');
  const built = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split('\n') : [];
  mkdirSync(folder, { recursive: true });
  for (const [name, [module, main]] of Object.entries(programs)) {
    if (built.includes(`${name} ${module}`)) continue;
    say(`building ${name} from ${module} ...`);
    // In the module's own folder: `go install` refuses modules that replace others.
    const args = ['build', '-C', await goModuleFolder(go, module), '-o', join(folder, 'bin', name), main];
    const { code, output } = await runTool(go, args, { env: { GOFLAGS: '' }, timeoutMs: 1_200_000 });
    if (code !== 0)
      throw new Error(`${name} could not be built (Go 1.26 or newer is needed):\n${output.slice(-2_000)}`);
  }
  const all = Object.entries(programs).map(([name, [module]]) => `${name} ${module}`);
  writeFileSync(stampFile, all.join('\n'));
}

/** The folder of a module's files, downloaded unless that has been done. */
export async function goModuleFolder(go: string, module: string): Promise<string> {
  const { code, output } = await runTool(go, ['mod', 'download', '-json', module], { env: { GOFLAGS: '' } });
  const found = code === 0 ? /"Dir": "(.+)"/.exec(output)?.[1] : undefined;
  if (found === undefined) throw new Error(`${module} could not be downloaded:\n${output.slice(-2_000)}`);
  return found;
}
