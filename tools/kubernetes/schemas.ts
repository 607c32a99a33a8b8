// Objects against the published schemas, by kubeconform: those of Kubernetes come with kubernetes-validate, those of others are the
// definitions in their Go modules.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { goModuleFolder, goTool } from '../foreign/go-tools.ts';
import { pythonPackage } from '../foreign/python-tools.ts';
import { parseReport, runTool } from '../foreign/run-tool.ts';
import type { Finding, Read } from './exceptions.ts';

/** The oldest and the newest of which the package has schemas. The chart and the documentation require the oldest. */
export const kubernetesVersions = ['1.32', '1.37'] as const;

/** Kinds that Kubernetes itself does not know: the module with their definition, and its file there. */
const operator = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const cloudNativePg = 'github.com/cloudnative-pg/cloudnative-pg@v1.29.0';
const barmanCloud = 'github.com/cloudnative-pg/plugin-barman-cloud@v0.15.0';
const definedElsewhere = [
  ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  [operator, 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml'],
  [operator, 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml'],
  [cloudNativePg, 'config/crd/bases/postgresql.cnpg.io_clusters.yaml'],
  [cloudNativePg, 'config/crd/bases/postgresql.cnpg.io_scheduledbackups.yaml'],
  [barmanCloud, 'config/crd/bases/barmancloud.cnpg.io_objectstores.yaml'],
  ['sigs.k8s.io/gateway-api@v1.6.3', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
] as const;

/** Copies the schemas of a version. Theirs refer to each other by addresses of a site, these by their files. */
function writeKubernetesSchemas(version: string, folder: string): void {
  const from = pythonPackage('manifests', `kubernetes_validate/kubernetes-json-schema/v${version}.0-local-strict`);
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(from)) {
    const text = readFileSync(join(from, file), 'utf8');
    const own = text.replaceAll('"/api/_definitions.json#', '"_definitions.json#').replace(/,\s*"\$id": "[^"]*"/, '');
    writeFileSync(join(folder, file), own);
  }
}

type Schema = {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
};

/** As the API server of Kubernetes does with strict validation: a field that the schema lacks is an error. */
function strict(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(items ? { items: strict(items) } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: strict(additionalProperties) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, strict(one)])),
          ...('x-kubernetes-preserve-unknown-fields' in schema ? {} : { additionalProperties: false }),
        }
      : {}),
  };
}

type Definition = {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
};

function writeDefinition(file: string, folder: string): void {
  const { spec } = parse(readFileSync(file, 'utf8')) as Definition;
  for (const { name, schema } of spec.versions)
    writeFileSync(
      join(folder, `${spec.names.kind.toLowerCase()}-${spec.group.replace(/\..*/, '')}-${name}.json`),
      JSON.stringify(strict(schema.openAPIV3Schema)),
    );
}

/** Makes the schemas; what they are, for `-schema-location`: those of the version, and of kinds that Kubernetes does not know. */
async function writeSchemas(go: string, folder: string): Promise<(version: string) => string[]> {
  for (const version of kubernetesVersions) writeKubernetesSchemas(version, join(folder, version));
  const others = join(folder, 'others');
  mkdirSync(others, { recursive: true });
  for (const [module, path] of definedElsewhere) writeDefinition(join(await goModuleFolder(go, module), path), others);
  return (version) => [join(folder, version), others].map((one) => join(one, '{{.ResourceKind}}{{.KindSuffix}}.json'));
}

type Report = {
  resources: { filename: string; kind: string; name: string; msg: string }[];
  summary: { valid: number; skipped: number };
};

/** What is wrong in each version, unknown fields and kinds included. */
export async function kubeconformFindings(read: readonly Read[], { go, folder }: { go: string; folder: string }) {
  const locationsOf = await writeSchemas(go, join(folder, 'schemas'));
  const findings: Finding[] = [];
  for (const version of kubernetesVersions) {
    const locations = locationsOf(version).flatMap((location) => ['-schema-location', location]);
    const args = ['-strict', '-summary', '-output', 'json', ...locations, ...read.map(({ file }) => file)];
    const { output } = await runTool(goTool('kubeconform'), args);
    const { resources, summary } = parseReport<Report>('kubeconform', output);
    const count = read.reduce((sum, { objects }) => sum + objects.length, 0);
    if (summary.valid + resources.length !== count)
      throw new Error(`kubeconform has not read all ${count} objects: ${JSON.stringify(summary)}`);
    for (const { filename, kind, name, msg } of resources)
      findings.push({
        scanner: 'kubeconform',
        check: `${version}: ${msg}`,
        rendering: read.find(({ file }) => file === filename)?.name ?? filename,
        object: `${kind} ${name}`,
      });
  }
  return findings;
}
