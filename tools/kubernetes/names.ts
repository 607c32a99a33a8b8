// Names in the manifests that are defined elsewhere too: queues, the version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { queues } from '@eas/contracts';
import { repoFolder } from '../foreign/run-tool.ts';
import { containersOf, type KubernetesObject, titleOf, workloadsOf } from './objects.ts';

export const serviceVersion = (): string =>
  (JSON.parse(readFileSync(join(repoFolder, 'package.json'), 'utf8')) as { version: string }).version;

/** Queues that queries name and the service does not have. */
export function queueFindings(objects: readonly KubernetesObject[]): string[] {
  return objects.flatMap((object) =>
    [...JSON.stringify(object).matchAll(/queue=\\"(\w+)\\"/g)]
      .map(([, queue = '']) => queue)
      .filter((queue) => !(queue in queues))
      .map((queue) => `${titleOf(object)}: no queue ${queue}`),
  );
}

export function imageFindings(objects: readonly KubernetesObject[]): string[] {
  const version = serviceVersion();
  return workloadsOf(objects).flatMap(({ title, pod }) =>
    containersOf(pod)
      .filter(({ image }) => !image.endsWith(`/engineering-agent-service:${version}`))
      .map(({ name, image }) => `${title}, ${name}: ${image} is not version ${version}`),
  );
}
