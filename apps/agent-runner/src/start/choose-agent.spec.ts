import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { doubleLine } from '../acp/double-agent.fixture.ts';
import { probe } from '../acp/probe.ts';
import { loadConfig } from '../load-config.fixture.ts';
import { presets } from '../presets/presets.ts';
import { chooseAgent } from './choose-agent.ts';
import { listPresets } from './list-presets.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'start-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function addProgram(name: string, script: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bin', name), 0o755);
}

/** What is said of an agent that takes its time, as any does on a busy machine. */
const isSlow = (line: string) => line.includes('has not opened a session');

/** What else the runner logs when it starts with these flags, and what stopped it. */
async function start(...flags: string[]): Promise<{ lines: string[]; problem?: string }> {
  const env = { API_KEY: 'eas_live_x', PATH: `${folder}/bin:/usr/bin:/bin`, HOME: folder };
  const config = loadConfig(['--role', 'rd', ...flags], env);
  if ('refusal' in config) return { lines: [], problem: config.refusal };
  const lines: string[] = [];
  try {
    await chooseAgent(config, (line) => void (isSlow(line) || lines.push(line)));
    return { lines };
  } catch (error) {
    return { lines, problem: (error as Error).message };
  }
}

describe('the start of a runner with a coding agent', () => {
  it('finds the program of a preset, and says which version is not the tested one', async () => {
    addProgram('gemini', doubleLine('commit'));
    const { lines, problem } = await start('gemini');
    expect(problem).toBeUndefined();
    expect(lines).toEqual(['double 1.0.0 is ready; it was tested with version 0.61.0']);
  });

  it('takes any command that speaks the protocol', async () => {
    expect(await start('--acp', doubleLine('commit'))).toEqual({ lines: ['double 1.0.0 is ready'] });
  });

  it.each([
    ['the program', ['qwen'], /^Qwen Code is not installed: qwen is not on PATH.*npm install --global @qwen/],
    ['both programs', ['claude'], /neither claude nor claude-agent-acp is on PATH/],
    ['the command', ['--acp', 'no-such-agent'], /does not start.*exit code 127.*no-such-agent.*not found/],
    ['the login', ['--acp', doubleLine('commit', '--login')], /no access to its model. .*double login/],
    ['the login that it only mentions', ['--acp', doubleLine('commit', '--logged-out')], /no access to its model/],
    ['the protocol', ['--acp', 'echo Hello'], /does not start. .*exit code 0/],
    ['its version', ['--acp', doubleLine('commit', '--v2')], /version 2 of the protocol/],
    ['one agent', ['--acp', 'true', '--exec', 'true'], /^Exactly one of a coding agent/],
    ['an agent', [], /^Exactly one of/],
    ['a rule', ['--acp', 'true', '--deny', 'a b'], /^--deny.*must be the kind or name of a tool/],
  ])('says in one line that %s is missing', async (_, flags, expected) => {
    const { problem } = await start(...flags);
    expect(problem).toMatch(expected);
    expect(problem).not.toContain('\n');
  });

  it('names how to log in to a preset', async () => {
    addProgram('gemini', doubleLine('commit', '--login'));
    expect((await start('gemini')).problem).toMatch(/^Gemini CLI: .*set GEMINI_API_KEY\.$/);
  });

  it('says when an agent is slow, and gives up at last', async () => {
    const settings = {
      line: doubleLine('commit', '--mute'),
      env: process.env,
      graceSeconds: 1,
      mode: undefined,
      deny: [],
    };
    const said: string[] = [];
    const probing = probe(settings, (text) => void said.push(text), { slowSeconds: 0.2, maxSeconds: 0.5 });
    await expect(probing).rejects.toThrow(/does not start. .* within 0.5 s/);
    expect(said).toEqual(['has not opened a session after 0.2 s; waiting up to 0.5 s']);
  });

  it('installs the adapter of a program that is there, once, and no other one than was tested', async () => {
    const [claude] = presets;
    const { name = '', integrity = '' } = claude?.npm ?? {};
    addProgram('claude', 'exit 1');
    const npm = (found: string) =>
      addProgram(
        'npm',
        `case "$*" in *--ignore-scripts*--omit=optional*) ;; *) exit 1;; esac
         mkdir -p "$3/node_modules/.bin"; echo "$3" >> ${folder}/installs
         printf '{"packages":{"node_modules/${name}":{"integrity":"${found}"}}}' > "$3/node_modules/.package-lock.json"
         printf '#!/bin/sh\\ntest -n "$CLAUDE_CODE_EXECUTABLE" && ${doubleLine('commit')}' > "$3/node_modules/.bin/claude-agent-acp"
         chmod +x "$3/node_modules/.bin/claude-agent-acp"`,
      );
    npm('sha512-another');
    expect((await start('claude')).problem).toContain('its integrity is another one');
    npm(integrity);
    const [first, second] = [await start('claude'), await start('claude')];
    expect(first.lines[0]).toMatch(/^installing @agentclientprotocol\/claude-agent-acp@/);
    expect([first.problem, second.problem, second.lines.length]).toEqual([undefined, undefined, 1]);
  });
});

describe('the presets on this machine', () => {
  const env = () => ({ PATH: `${folder}/bin:/usr/bin:/bin`, HOME: folder });
  const list = async (probes: boolean) =>
    (await listPresets({ env: env(), probes })).map(({ preset, found, path, version, problem }) => ({
      preset,
      found,
      path: path?.replace(folder, '~') ?? null,
      version,
      problem: problem?.slice(0, 40) ?? null,
    }));

  it('are found without starting or installing anything, and examined only when asked', async () => {
    addProgram('npm', `touch ${folder}/installed`);
    addProgram('claude', `touch ${folder}/started`);
    addProgram('gemini', doubleLine('commit'));
    addProgram('qwen', doubleLine('commit', '--login'));
    const [claude, gemini, qwen] = [
      { preset: 'claude', found: true, path: '~/bin/claude', version: null, problem: null },
      { preset: 'gemini', found: true, path: '~/bin/gemini', version: null, problem: null },
      { preset: 'qwen', found: true, path: '~/bin/qwen', version: null, problem: null },
    ];
    expect(await list(false)).toEqual(expect.arrayContaining([claude, gemini, qwen]));
    const login = 'Qwen Code: The agent has no access to its';
    expect(await list(true)).toEqual(
      expect.arrayContaining([
        claude,
        { ...gemini, version: '1.0.0' },
        { ...qwen, problem: login.slice(0, 40) },
        {
          preset: 'codex',
          found: false,
          path: null,
          version: null,
          problem: 'Codex CLI is not installed: neither code',
        },
      ]),
    );
    expect(['installed', 'started'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
  });
});
