import { describe, expect, it } from '@jest/globals';
import { double } from '../acp/double-agent.fixture.ts';
import { useRemotes } from '../git/remote.fixture.ts';
import { repositoryOf, useClaims } from './claim-scene.fixture.ts';

const { run } = useClaims();
const { makeRemote } = useRemotes();

describe('a task whose agent says a secret of the runner', () => {
  it('shows no part of it in a call, also where a text is cut within it', async () => {
    const flags = 'a secret of the runner'.split(' ');
    const { calls, bodies } = await run('', [repositoryOf(makeRemote())], { agent: double('leak', flags) });
    expect(JSON.stringify(calls)).not.toMatch(/a secret o|ret of the|the runner["x]/);
    expect(bodies('progress')).toMatchObject([{ milestones: [{ name: `${'x'.repeat(190)}***` }] }]);
    expect(bodies('permissions')).toMatchObject([
      { permission: { title: 'echo ***' } },
      { permission: { title: 'Run', command: '***'.repeat(1_000) } },
    ]);
    expect(bodies('complete')).toMatchObject([{ summary: `***${'x'.repeat(65_526)}` }]);
  });
});
