import { describe, expect, it } from '@jest/globals';
import { recordedAgent } from '../acp/double-agent.fixture.ts';
import { modeOf, readRecording, recordings } from '../acp/recordings.fixture.ts';
import { useRemotes } from '../git/remote.fixture.ts';
import { readDenyRule } from '../presets/deny-rule.ts';
import { presets } from '../presets/presets.ts';
import { answers, repositoryOf, useClaims } from './claim-scene.fixture.ts';

const { run } = useClaims();
const { makeRemote } = useRemotes();
const all = recordings.map((name) => ({ name, ...readRecording(name) }));

describe('the recordings of real agents', () => {
  it.each(presets.map((preset) => [preset.id, preset] as const))(
    'are of the version of %s that is tested with: else record them again with `npm run test:real-agents -- AGENT --record`',
    (id, { npm, can }) => {
      const heads = all.map(({ head }) => head).filter(({ agent }) => agent === id);
      const endings = ['commit', 'denied', ...(can.askPeople ? ['form'] : []), 'question'];
      const what = `${npm.name}@${npm.version}`;
      expect(heads.map((head) => [head.ending, head.package])).toEqual(endings.map((ending) => [ending, what]));
    },
  );
});

describe('a task with a real agent, as it was recorded', () => {
  it.each(all)('ends as it did: $name', async ({ name, head, lines }) => {
    const { flags, asked, summary, reason } = head;
    const deny = flags.flatMap((flag, at) => (flag === '--deny' ? (readDenyRule(flags[at + 1] ?? '') ?? []) : []));
    const agent = recordedAgent(name, { mode: modeOf(lines), deny });
    const [question] = asked;
    const person = answers(question?.content ? { content: question.content } : { answer: question?.answer });
    // Where a person is asked the change decides nothing, and git takes most of the time.
    const [repositories, folder] = asked.length > 0 ? [[], 'work'] : [[repositoryOf(makeRemote())], 'work/web'];
    const { complete, fail, bodies, read } = await run('', repositories, { agent }, person);
    expect(bodies('inputs')).toMatchObject(asked.map(({ kind, prompt }) => ({ kind, prompt })));
    expect({ summary: complete?.['summary'] ?? null, reason: fail?.reason ?? null }).toEqual({ summary, reason });
    const written = lines.findLast((line) => 'file' in line);
    if (written) expect(read(`${folder}/${written.file}`)).toBe(written.text);
  });
});

describe('a recorded agent', () => {
  it.each<[string, Parameters<typeof recordedAgent>[1], RegExp]>([
    ['requests', { mode: undefined }, /The client sent session\/prompt, and the recording has session\/set_mode\./],
    [
      'answers',
      { mode: 'default', deny: [{ tool: '*', pattern: '*' }] },
      /The client answered .*"cancel".*"proceed_once"/,
    ],
  ])('says which of the %s of the runner are not those of its recording', async (_, settings, sentence) => {
    const agent = recordedAgent('gemini-commit', settings);
    const { fail } = await run('', [repositoryOf(makeRemote())], { agent });
    expect(fail?.reason).toMatch(sentence);
  });
});
