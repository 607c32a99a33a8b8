import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from './objects.ts';
import { differencesBetween } from './same-objects.ts';

const configMap = (name: string, data = { BASE_URL: 'https://eas.example.com' }): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const job = (env: object[], metadata: object = {}): KubernetesObject =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'eas-migrate', ...metadata },
    spec: { template: { metadata: { labels: {} }, spec: { containers: [{ name: 'seed', image: 'x', env }] } } },
  }) as KubernetesObject;

const a = { name: 'A', value: '1' };
const b = { name: 'B', value: '2' };

describe('differencesBetween', () => {
  it('finds none where only the order of named things and what a tool adds for itself differ', () => {
    const helm = job([b, a], {
      labels: { 'helm.sh/chart': 'x', 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'helm.sh/hook': 'pre-install' },
    });
    expect(differencesBetween([job([a, b], { labels: {} })], [helm])).toEqual([]);
  });

  it('takes a ConfigMap with a hash in its name, and its values where the other has them as they are', () => {
    const fromMap = {
      name: 'BASE_URL',
      valueFrom: { configMapKeyRef: { name: 'eas-settings-9mbm7bh6cf', key: 'BASE_URL' } },
    };
    const kustomize = [configMap('eas-settings-9mbm7bh6cf'), job([fromMap])];
    const helm = [configMap('eas-settings'), job([{ name: 'BASE_URL', value: 'https://eas.example.com' }])];
    expect(differencesBetween(kustomize, helm)).toEqual([]);
    helm[1] = job([{ name: 'BASE_URL', value: 'http://eas.example.com' }]);
    expect(differencesBetween(kustomize, helm)).toHaveLength(1);
  });

  it('names the place of each difference', () => {
    expect(differencesBetween([job([a, b])], [job([a, { ...b, value: '3' }])])).toEqual([
      'Job eas-migrate: spec.template.spec.containers.0.env.1.value: "2" and "3"',
    ]);
    expect(differencesBetween([job([a])], [job([a, b])])).toEqual([
      'Job eas-migrate: spec.template.spec.containers.0.env.1: undefined and {"name":"B","value":"2"}',
    ]);
  });

  it('names an object that only one of the two has', () => {
    expect(differencesBetween([configMap('one')], [configMap('two')])).toEqual([
      'ConfigMap one is only in the first',
      'ConfigMap two is only in the second',
    ]);
  });
});
