// Objects against the published schemas: Kubernetes' by kubernetes-validate, those of others by the definitions in their Go modules.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, stringify } from 'yaml';
import { goModuleFolder } from '../foreign/go-tools.ts';
import { pythonTool } from '../foreign/python-tools.ts';
import { runTool } from '../foreign/run-tool.ts';
import { type KubernetesObject, titleOf } from './objects.ts';

/** The oldest and the newest of which the package has schemas. The chart and the documentation require the oldest. */
export const kubernetesVersions = ['1.32', '1.37'] as const;

/** Kinds that Kubernetes itself does not know: the module with their definition, and its file there. */
const operator = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const definedElsewhere = [
  ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  [operator, 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml'],
  [operator, 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml'],
  ['sigs.k8s.io/gateway-api@v1.6.3', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
] as const;
const groupsElsewhere = /^(keda\.sh|monitoring\.coreos\.com|gateway\.networking\.k8s\.io)\//;

const isOfKubernetes = ({ apiVersion }: KubernetesObject): boolean => !groupsElsewhere.test(apiVersion);

/** Lines of what is wrong, unknown fields and kinds included. */
export async function kubernetesFindings(
  objects: readonly KubernetesObject[],
  { version, file }: { version: string; file: string },
): Promise<string[]> {
  const own = objects.filter(isOfKubernetes);
  writeFileSync(file, own.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n'));
  const args = ['--strict', '--kubernetes-version', version, file];
  const { code, output } = await runTool(pythonTool('manifests', 'kubernetes-validate'), args);
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const passed = lines.filter((line) => line.startsWith('INFO ')).length;
  const others = lines.filter((line) => !line.startsWith('INFO '));
  if (others.length > 0) return others;
  return code === 0 && passed === own.length && own.length > 0 ? [] : [`${passed} of ${own.length} objects were valid`];
}

type Schema = {
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
};

/** As the API server of Kubernetes does with strict validation: a field that the schema lacks is an error. Patterns of Go alone are left out. */
function strict(schema: Schema): Schema {
  const { pattern, ...others } = schema;
  const { properties, items, additionalProperties } = others;
  return {
    ...others,
    ...(pattern === undefined || pattern.includes('(?i)') ? {} : { pattern }),
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

/** Lines of what is wrong with objects of kinds that Kubernetes itself does not know. */
export type CustomFindings = (objects: readonly KubernetesObject[]) => string[];

async function readDefinition(go: string, module: string, file: string): Promise<[title: string, Schema][]> {
  const { spec } = parse(readFileSync(join(await goModuleFolder(go, module), file), 'utf8')) as Definition;
  return spec.versions.map(({ name, schema }) => [
    `${spec.group}/${name} ${spec.names.kind}`,
    strict(schema.openAPIV3Schema),
  ]);
}

export async function openCustomSchemas(go: string): Promise<CustomFindings> {
  const definitions = await Promise.all(definedElsewhere.map(([module, file]) => readDefinition(go, module, file)));
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const validators = new Map(definitions.flat().map(([title, schema]) => [title, ajv.compile(schema)]));
  return (objects) =>
    objects
      .filter((object) => !isOfKubernetes(object))
      .flatMap((object) => {
        const validate = validators.get(`${object.apiVersion} ${object.kind}`);
        if (!validate) return [`${titleOf(object)}: no schema of this kind`];
        if (validate(object)) return [];
        return (validate.errors ?? []).map(({ instancePath, message, params }) =>
          [titleOf(object), instancePath, message, JSON.stringify(params)].join(' '),
        );
      });
}
