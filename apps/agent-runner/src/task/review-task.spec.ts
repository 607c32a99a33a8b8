import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { double } from '../acp/double-agent.fixture.ts';
import { gitOf, useRemotes } from '../git/remote.fixture.ts';
import { repositoryOf, useClaims } from './claim-scene.fixture.ts';

const { run, workspace } = useClaims();
const { makeRemote, commitTo } = useRemotes();
const branch = 'task/tsk_0';
const parent = { task_id: 'tsk_0', title: 'Limit logins', summary: null, result: null, artifacts: [] };
const contract = {
  result_schema: { type: 'object', required: ['decision'], properties: { decision: { enum: ['approve', 'reject'] } } },
};
const context = { parent, contract };

function reviewed() {
  const url = makeRemote();
  const head = commitTo(url, { 'a.ts': 'one\ntwo\n' }, branch);
  return { url, head, refs: () => gitOf(url, 'show-ref') };
}

describe('the review of a task', () => {
  it('sees the branch of the other task next to its base, and leaves both as they are', async () => {
    const { url, head, refs } = reviewed();
    const before = refs();
    const exec = `git rev-parse HEAD > seen; git diff --name-only origin/main > changed; git branch --show-current > on
      echo mine > a.ts; git add .; git commit -qm mine; git push origin HEAD:${branch} 2> /dev/null && echo pushed > on
      echo "$SAY"' result {"decision":"approve"}'`;
    const { complete, fail, artifacts, read } = await run(exec, [repositoryOf(url)], { context });
    expect([fail, complete]).toMatchObject([undefined, { result: { decision: 'approve' } }]);
    expect(['seen', 'changed', 'on'].map((file) => read(`work/web/${file}`).trim())).toEqual([head, 'a.ts', '']);
    expect([refs(), artifacts]).toEqual([before, []]);
    const [clone = ''] = readdirSync(join(workspace(), '.clones')).filter((name) => name.endsWith('.git'));
    expect(gitOf(join(workspace(), '.clones', clone), 'for-each-ref', 'refs/heads')).toBe('');
  });

  it('has findings at paths of the repository, in whatever way its program writes them', async () => {
    const { url } = reviewed();
    const exec = `echo "$SAY"' result {"decision":"reject","findings":[{"path":"'"$PWD"'/a.ts","body":"x"},{"path":"./b.ts","body":"y"}]}'`;
    const { complete } = await run(exec, [repositoryOf(url)], { context });
    expect(complete?.['result']).toMatchObject({ findings: [{ path: 'a.ts' }, { path: 'b.ts' }] });
  });

  it('begins again in each attempt, with what was pushed since', async () => {
    const { url } = reviewed();
    await run('echo old > a.ts; exit 1', [repositoryOf(url)], { context });
    const head = commitTo(url, { 'b.ts': 'three\n' }, branch);
    const exec = `git rev-parse HEAD > "$TASK_DIR/seen"; git status --short > "$TASK_DIR/status"
      echo "$SAY"' result {"decision":"approve"}'`;
    const { complete, read } = await run(exec, [repositoryOf(url)], { context });
    expect(complete).toBeDefined();
    expect([read('seen').trim(), read('status')]).toEqual([head, '']);
  });

  it('runs the setup of the repository, so that what is reviewed can be tried', async () => {
    const { url } = reviewed();
    const exec = `[ -e installed ] && echo "$SAY"' result {"decision":"approve"}'`;
    const { complete } = await run(exec, [repositoryOf(url, { setup: 'touch installed' })], { context });
    expect(complete).toBeDefined();
  });

  it('by a coding agent ends with the result of its last message: without one it is sent back', async () => {
    const { url, refs } = reviewed();
    const before = refs();
    const { complete, fail, lines, read, artifacts } = await run('', [repositoryOf(url)], {
      agent: double('review'),
      context,
    });
    expect([fail, complete]).toMatchObject([
      undefined,
      { result: { decision: 'reject', findings: [{ path: 'a.ts', line: 2, body: 'No test.' }] } },
    ]);
    expect(lines.join('\n')).toContain('The task requires a result');
    expect(read('prompts.txt')).toContain('nothing that you change in them is kept');
    expect(read('prompts.txt')).toContain('end your last message with it');
    expect([refs(), artifacts]).toEqual([before, []]);
  });
});
