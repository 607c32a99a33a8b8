import { describe, expect, it } from '@jest/globals';
import { useGateway } from '../gateway.ts';
import { agentScene, eventsOf } from '../inputs/agent-scene.ts';

const gateway = useGateway();
const nothing = { summary: null, result: null, scores: null, artifacts: [], artifacts_truncated: false };
const brought = { summary: 'Fixed.', result: { branch: 'fix' }, scores: { code_quality: 90 } };
const completedEvent = async (taskId: string) =>
  (await eventsOf(gateway, taskId)).find(([type]) => type === 'task.completed')?.[1];

describe('what an agent brought', () => {
  it('is read with the task once it is completed, and published with task.completed', async () => {
    const { hold, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    expect(await readTask(task.id)).toMatchObject(nothing);
    const report = { kind: 'test_report', title: 'Tests', url: 'https://ci.example/1', data: { passed: 12 } };
    await call(lease, 'artifacts', report);
    await call(lease, 'complete', { ...brought, artifacts: [{ kind: 'branch', title: 'fix' }] });
    expect(await readTask(task.id)).toMatchObject({
      status: 'completed',
      summary: 'Fixed.',
      result: { branch: 'fix' },
      scores: { code_quality: 90, requirements_clarity: null },
      artifacts: [report, { kind: 'branch', title: 'fix', url: null, sha: null, data: null }],
      artifacts_truncated: false,
    });
    expect(await completedEvent(task.id)).toMatchObject({ summary: 'Fixed.', result: { branch: 'fix' } });
  });

  it('is read while it waits for a review, and goes when the task is opened again', async () => {
    const { hold, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold({ contract: { review: { person: true } } });
    await call(lease, 'complete', brought);
    expect(await readTask(task.id)).toMatchObject({
      status: 'in_review',
      summary: 'Fixed.',
      result: { branch: 'fix' },
    });
    await gateway.post(`/v1/tasks/${task.id}/reject`, { comment: 'No.' });
    expect(await readTask(task.id)).toMatchObject({ status: 'open', ...nothing });
    // What was rejected is not what a person completes the task with.
    await gateway.send('PATCH', `/v1/tasks/${task.id}`, JSON.stringify({ status: 'completed' }));
    expect(await readTask(task.id)).toMatchObject({ status: 'completed', ...nothing });
    expect(await completedEvent(task.id)).toMatchObject({ summary: null, result: null });
  });

  it('is published up to 16 KiB each, and read whole', async () => {
    const { hold, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    const large = { summary: 's'.repeat(16_384 - 2), result: { text: 'x'.repeat(20_000) } };
    await call(lease, 'complete', large);
    expect(await readTask(task.id)).toMatchObject(large);
    const published = { summary: large.summary, result: null, outcome_truncated: true };
    expect(await completedEvent(task.id)).toMatchObject(published);
  });

  it('has a patch as the content of an artifact, which is read with that artifact alone', async () => {
    const { hold, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold({ contract: { artifacts: ['diff'] } });
    const diff = { kind: 'diff', title: '1 file', sha: 'a1', data: { files_changed: 1 } };
    const content = `+${'ä'.repeat(400_000)}\n`;
    const attached = await call(lease, 'artifacts', { ...diff, content });
    expect(attached.status).toBe(200);
    await call(lease, 'complete', {});
    const [shown] = (await readTask(task.id)).artifacts;
    expect(shown).toMatchObject(diff);
    expect(shown).not.toHaveProperty('content');
    const read = await gateway.get(`/v1/tasks/${task.id}/artifacts/${shown.id}`);
    expect(read.body).toEqual({ ...shown, content });
    for (const path of [`${task.id}/artifacts/art_unknown`, `tsk_unknown/artifacts/${shown.id}`])
      expect((await gateway.get(`/v1/tasks/${path}`)).status).toBe(404);
  });

  it('shows the newest artifacts that fit, and lists all of them', async () => {
    const { hold, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    const data = { text: 'x'.repeat(60_000) };
    for (let n = 0; n < 6; n += 1) await call(lease, 'artifacts', { kind: 'file', title: String(n), data });
    const shown = await readTask(task.id);
    expect(shown.artifacts.map(({ title }: { title: string }) => title)).toEqual(['2', '3', '4', '5']);
    expect(shown).toMatchObject({ artifacts_truncated: true });
    const { body } = await gateway.get(`/v1/tasks/${task.id}/artifacts?sort=id`);
    expect(body.data).toHaveLength(6);
    expect(body.data[0]).toMatchObject({ kind: 'file', title: '0', data });
    const one = await gateway.get(`/v1/tasks/${task.id}/artifacts?title=3`);
    expect(one.body).toMatchObject({ data: [{ title: '3' }], metadata: { total: 1 } });
  });
});
