import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '@eas/runtime';
import { planPorts, planSystem } from './apps.ts';
import { type Config, configShape } from './config.ts';

function configOf(env: Record<string, string>): Config {
  const read = loadSettings(configShape, env);
  return { ...read, root: '/r', inheritedEnv: env, shutdown: { seconds: 1 } };
}

function planOf(env: Record<string, string>) {
  const plan = planSystem(configOf(env), { databaseUrl: 'postgresql://h/d', encryptionKey: 'k' });
  const envOf = (name: string) => plan.apps.find((app) => app.name === name)?.env ?? {};
  return { ...plan, envOf };
}

describe('planSystem', () => {
  it('lays the ports out from PORT', () => {
    const plan = planOf({ PORT: '4000' });
    expect(plan.baseUrl).toBe('http://127.0.0.1:4000');
    expect(planPorts(configOf({ PORT: '4000' })).map(({ port }) => port)).toEqual([
      4000, 4001, 4002, 4003, 4004, 4005, 4006,
    ]);
    expect(plan.envOf('api-gateway')).toMatchObject({
      PORT: '4000',
      RECEIVER_URL: 'http://127.0.0.1:4001',
      PEER_HEALTH_URLS:
        'webhook-receiver=http://127.0.0.1:4003,workflow-orchestrator=http://127.0.0.1:4004,' +
        'webhook-dispatcher=http://127.0.0.1:4005,analytics-aggregator=http://127.0.0.1:4006',
      HEALTH_PORT: '4002',
    });
    expect(plan.envOf('webhook-receiver')).toMatchObject({ RECEIVER_PORT: '4001', HEALTH_PORT: '4003' });
  });

  it('is open to this machine on loopback and says so', () => {
    const plan = planOf({});
    const denied = { WEBHOOK_DENIED_PORTS: expect.stringMatching(/^3000,3001,3002,3003,3004,3005,3006\b/) };
    expect(plan.envOf('webhook-dispatcher')).toMatchObject({ WEBHOOK_ALLOW_HTTP: 'true', ...denied });
    expect(plan.envOf('api-gateway')).toMatchObject(denied);
    expect(plan.envOf('workflow-orchestrator')).toMatchObject({
      WEBHOOK_ALLOWED_CIDRS: plan.envOf('webhook-dispatcher')['WEBHOOK_ALLOWED_CIDRS'],
    });
    expect(plan.envOf('webhook-receiver')).toMatchObject({ RECEIVER_ALLOW_UNSIGNED: 'local' });
    expect(plan.notices).toHaveLength(3);
  });

  it('is closed on any other address', () => {
    const plan = planOf({ HOST: '0.0.0.0' });
    expect(plan.envOf('webhook-dispatcher')).not.toHaveProperty('WEBHOOK_ALLOW_HTTP');
    expect(plan.envOf('workflow-orchestrator')).not.toHaveProperty('WEBHOOK_ALLOWED_CIDRS');
    expect(plan.envOf('webhook-receiver')).not.toHaveProperty('RECEIVER_ALLOW_UNSIGNED');
    expect(plan.notices).toEqual([]);
  });

  it('never replaces what a person has set', () => {
    const env = { WEBHOOK_ALLOW_HTTP: 'false', RECEIVER_ALLOW_UNSIGNED: 'false', TRUST_PROXY: '10.0.0.0/8' };
    const plan = planOf(env);
    expect(plan.envOf('webhook-dispatcher')).not.toHaveProperty('WEBHOOK_ALLOW_HTTP');
    expect(plan.envOf('webhook-receiver')).not.toHaveProperty('RECEIVER_ALLOW_UNSIGNED');
    expect(plan.envOf('api-gateway')).not.toHaveProperty('TRUST_PROXY');
  });
});
