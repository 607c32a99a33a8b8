// Objects against the published schemas: Kubernetes' by kubernetes-validate, KEDA's by the definitions in its Go module.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, stringify } from 'yaml';
import { goModuleFolder } from '../contract/install-go-tools.ts';
import { pythonTool } from '../contract/install-python-tools.ts';
import { runTool } from '../contract/suite.ts';
import { type KubernetesObject, titleOf } from './objects.ts';

/** The oldest and the newest of which the package has schemas. The chart's `kubeVersion` is not newer. */
export const kubernetesVersions = ['1.32', '1.37'] as const;
const kedaModule = 'github.com/kedacore/keda/v2@v2.21.0';

const isOfKeda = ({ apiVersion }: KubernetesObject): boolean => apiVersion.startsWith('keda.sh/');

/** Lines of what is wrong, unknown fields and kinds included. */
export async function kubernetesFindings(
  objects: readonly KubernetesObject[],
  { version, file }: { version: string; file: string },
): Promise<string[]> {
  const own = objects.filter((object) => !isOfKeda(object));
  writeFileSync(file, own.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n'));
  const args = ['--strict', '--kubernetes-version', version, file];
  const { code, output } = await runTool(pythonTool('kubernetes-validate'), args);
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const passed = lines.filter((line) => line.startsWith('INFO ')).length;
  const others = lines.filter((line) => !line.startsWith('INFO '));
  if (others.length > 0) return others;
  return code === 0 && passed === own.length && own.length > 0 ? [] : [`${passed} of ${own.length} objects were valid`];
}

type Schema = { properties?: Record<string, Schema>; items?: Schema; additionalProperties?: Schema | boolean };

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
  spec: { names: { kind: string }; versions: { name: string; schema: { openAPIV3Schema: Schema } }[] };
};

export type KedaFindings = (objects: readonly KubernetesObject[]) => string[];

export async function openKedaSchema(go: string): Promise<KedaFindings> {
  const folder = await goModuleFolder(go, kedaModule);
  const { spec } = parse(
    readFileSync(join(folder, 'config/crd/bases/keda.sh_scaledobjects.yaml'), 'utf8'),
  ) as Definition;
  const schema = spec.versions.find(({ name }) => name === 'v1alpha1')?.schema.openAPIV3Schema ?? {};
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(strict(schema));
  return (objects) =>
    objects.filter(isOfKeda).flatMap((object) => {
      if (object.kind !== spec.names.kind) return [`${titleOf(object)}: no schema of this kind`];
      if (validate(object)) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${titleOf(object)}${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    });
}
