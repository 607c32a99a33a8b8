import { hostname } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './load-config.fixture.ts';

const needed = ['--role', 'rd', '--exec', 'true'];
const env = { API_KEY: 'eas_live_x', PATH: '/bin' };

describe('the flags of a runner', () => {
  it('need a role and an agent, and have a default for the rest', () => {
    expect(loadConfig(needed, env)).toMatchObject({
      role: 'rd',
      exec: 'true',
      name: `rd-${hostname()}`,
      concurrency: 1,
      timeout: 7_200,
      capability: [],
      deny: [],
      push: true,
      maxFileMb: 100,
    });
  });

  it('keep the key from the agent', () => {
    const config = loadConfig(needed, env);
    expect(config).toMatchObject({ apiKey: 'of_the_account', env: { PATH: '/bin' } });
    expect(JSON.stringify((config as { env: object }).env)).not.toContain('eas_live_x');
  });

  it('keep the variables of MCP servers from agents and commands', () => {
    const config = loadConfig(needed, { ...env, MCP_TOKEN: 'secret', HAS_MCP_TOKEN: 'yes' });
    expect(config).toMatchObject({ env: { HAS_MCP_TOKEN: 'yes' }, serverEnv: { MCP_TOKEN: 'secret' } });
    expect((config as { env: object }).env).not.toHaveProperty('MCP_TOKEN');
  });

  it('leave tokens of git to git, unless they are passed on', () => {
    const tokens = { GITHUB_TOKEN: 'a', GITLAB_TOKEN: 'b', CI_JOB_TOKEN: 'c', OPENROUTER_API_KEY: 'd' };
    const own = loadConfig(needed, { ...env, ...tokens });
    expect(own).toMatchObject({ gitEnv: tokens, env: { OPENROUTER_API_KEY: 'd' } });
    for (const name of ['GITHUB_TOKEN', 'GITLAB_TOKEN', 'CI_JOB_TOKEN'])
      expect((own as { env: object }).env).not.toHaveProperty(name);
    const passed = loadConfig([...needed, '--pass-env', 'GITHUB_TOKEN'], { ...env, ...tokens });
    expect(passed).toMatchObject({ env: { GITHUB_TOKEN: 'a' } });
    expect((passed as { env: object }).env).not.toHaveProperty('GITLAB_TOKEN');
    const refusal = expect.stringContaining('token of git');
    expect(loadConfig([...needed, '--pass-env', 'API_KEY'], env)).toEqual({ refusal });
  });

  it('can be given several times where there can be several', () => {
    const given = [
      '--capability',
      'a',
      '--capability',
      'b',
      '--deny',
      'fetch',
      '--deny',
      'execute:git push*',
      '--no-push',
    ];
    const config = loadConfig([...needed, ...given], env) as { deny: unknown[] };
    expect(config).toMatchObject({ capability: ['a', 'b'], push: false });
    expect(config.deny).toHaveLength(2);
  });

  it('give an agent that is created the name of its preset as a capability', () => {
    const capabilityOf = (...args: string[]) =>
      (loadConfig([...args, '--role', 'rd'], env) as { capability: string[] }).capability;
    expect(capabilityOf('claude', '--capability', 'sql')).toEqual(['sql', 'claude']);
    expect(capabilityOf('claude', '--capability', 'claude')).toEqual(['claude']);
    expect(capabilityOf('--acp', 'true')).toEqual([]);
  });

  it.each([
    [['--exec', 'true'], '--role is required.'],
    [['--role', 'rd'], 'Exactly one of a coding agent (claude, '],
    [['claude', ...needed], 'Exactly one of a coding agent (claude, '],
    [['--role', 'r d', '--exec', 'true'], '--role must be '],
    [[...needed, '--concurrency', '0'], '--concurrency must be '],
    [[...needed, '--concurrency', 'many'], '--concurrency must be '],
    [[...needed, '--timeout=-1'], '--timeout must be '],
    [[...needed, '--max-file-mb', '0'], '--max-file-mb must be '],
    [[...needed, '--agent', '../x'], '--agent must be '],
  ])('%j is refused with a sentence', (args, sentence) => {
    const { refusal } = loadConfig(args, env) as { refusal: string };
    expect(refusal).toContain(sentence);
  });
});
