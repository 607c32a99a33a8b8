// Every check of a rendering, and a broken rendering that it must find.
import type { KubernetesObject } from './objects.ts';
import { bodyFindings, graceFindings, portFindings, readTimeoutFindings } from './pod-rules.ts';
import { imageFindings, queueFindings, serviceVersion } from './names.ts';
import { referenceFindings } from './references.ts';
import { exampleSecret, missingSecretFindings, readGivenSettings, sourceFindings } from './settings-given.ts';
import { partChecks } from './app-parts.ts';
import { targetFindings } from './target-labels.ts';

export type Check = {
  title: string;
  findings(objects: readonly KubernetesObject[]): Promise<string[]>;
  /** A change of the text of a rendering, as JSON, after which there are findings. */
  breaks: readonly [from: string, to: string];
};

const checksOfParts = partChecks.map(([title, findings, breaks]): Check => ({
  title,
  breaks,
  findings: async (objects) => findings(objects),
}));

export function openChecks(): Check[] {
  const secret = exampleSecret();
  const given = (objects: readonly KubernetesObject[]) => readGivenSettings(objects, secret);
  return [
    {
      title: 'gives each app the settings that it reads and needs, and nothing else',
      findings: async (objects) => (await given(objects)).flatMap(({ findings }) => findings),
      breaks: ['"name":"HEALTH_PORT"', '"name":"HEALTHY_PORT"'],
    },
    {
      title: 'has settings in the ConfigMap, and secrets in the Secret of the example',
      findings: (objects) => sourceFindings(objects, secret),
      breaks: ['"LOG_LEVEL":', '"DATABASE_URL":'],
    },
    {
      title: 'takes each secret of an app from the Secret',
      findings: missingSecretFindings,
      breaks: ['"key":"OTEL_EXPORTER_OTLP_HEADERS"', '"key":"OTEL_EXPORTER_OTLP_HEADER"'],
    },
    {
      title: 'has an ingress that takes what the receiver takes',
      findings: async (objects) => bodyFindings(objects),
      breaks: ['"nginx.ingress.kubernetes.io/proxy-body-size":"5m"', '"a":"b"'],
    },
    {
      title: 'has an ingress that waits longer than the apps do',
      findings: async (objects) => readTimeoutFindings(objects),
      breaks: ['"nginx.ingress.kubernetes.io/proxy-read-timeout":"75"', '"a":"b"'],
    },
    {
      title: 'gives pods the time to drain',
      findings: async (objects) => graceFindings(objects, await given(objects)),
      breaks: ['"terminationGracePeriodSeconds":45', '"terminationGracePeriodSeconds":39'],
    },
    {
      title: 'probes and serves the ports on which the apps listen',
      findings: async (objects) => portFindings(await given(objects)),
      breaks: ['"containerPort":3002', '"containerPort":3003'],
    },
    {
      title: 'scales by queues that exist',
      findings: async (objects) => queueFindings(objects),
      breaks: ['queue=\\"webhooks\\"', 'queue=\\"webhook\\"'],
    },
    {
      title: 'gives what Prometheus scrapes the labels that alerts ask for',
      findings: async (objects) => targetFindings(objects),
      breaks: ['"targetLabel":"app"', '"targetLabel":"application"'],
    },
    {
      title: 'runs the image of this version',
      findings: async (objects) => imageFindings(objects),
      breaks: [`:${serviceVersion()}"`, ':0.0.0"'],
    },
    {
      title: 'refers only to what exists',
      findings: async (objects) => referenceFindings(objects),
      breaks: ['"targetPort":"http"', '"targetPort":"https"'],
    },
    ...checksOfParts,
  ];
}

/** The rendering with the check's fault in it. Throws when there is nothing to break. */
export function brokenBy(
  { title, breaks: [from, to] }: Pick<Check, 'title' | 'breaks'>,
  objects: readonly KubernetesObject[],
) {
  const text = JSON.stringify(objects);
  if (!text.includes(from)) throw new Error(`${title}: the canary finds no ${from}`);
  return JSON.parse(text.replaceAll(from, to)) as KubernetesObject[];
}
