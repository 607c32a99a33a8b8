import { scopes } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { expectRefusal, useMcp } from './mcp-scene.ts';

const { gateway, connect, scene } = useMcp();

const agentTools = [
  'get_task',
  'list_timeline',
  'list_artifacts',
  'claim_task',
  'list_my_leases',
  'resume_task',
  'report_progress',
  'ask_person',
  'wait_for_answer',
  'check_inbox',
  'checkpoint',
  'attach_artifact',
  'complete_task',
  'fail_task',
  'handoff_task',
  'release_task',
];

describe('the tools', () => {
  it('are those that the scopes of the caller open', async () => {
    const all = await connect(await gateway.makeKey(scopes));
    expect(await all.toolNames()).toEqual([
      'create_task',
      'list_tasks',
      'get_task',
      'list_timeline',
      'list_artifacts',
      'comment',
      'list_agents',
      'list_workflows',
      'get_workflow',
      'start_workflow',
      'get_run',
      ...agentTools.slice(3),
    ]);
    expect(await (await connect(await gateway.makeKey(['tasks:read']))).toolNames()).toEqual([
      'list_tasks',
      'get_task',
      'list_timeline',
      'list_artifacts',
    ]);
    expect(await (await scene()).mcp.toolNames()).toEqual(agentTools);
  });

  it('that a scope does not open are refused as REST refuses them', async () => {
    const reader = await connect(await gateway.makeKey(['tasks:read']));
    const result = await reader.call('claim_task', { agent_id: 'agt_1' });
    expectRefusal(result, 'forbidden', {});
    expect(result.body.error.message).toBe('The scope agent:self or admin is required.');
  });

  it('describe their arguments by the contracts of the API', async () => {
    const { tools } = await (await scene()).mcp.client.listTools();
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get('report_progress')?.inputSchema).toMatchObject({
      type: 'object',
      properties: { fencing_token: { type: 'integer', minimum: 1 }, percent_complete: { minimum: 0, maximum: 100 } },
      required: ['lease_id', 'fencing_token'],
      additionalProperties: false,
    });
    expect(byName.get('claim_task')?.inputSchema.required ?? []).toEqual([]);
    expect(byName.get('claim_task')?.inputSchema.properties).toMatchObject({ lease_seconds: { default: 900 } });
    expect(byName.get('wait_for_answer')?.inputSchema.properties).toMatchObject({ wait_seconds: { default: 50 } });
    expect(byName.get('get_task')?.annotations).toMatchObject({ readOnlyHint: true });
    for (const tool of tools) expect(tool.description).toMatch(/\.$/);
  });

  it('are listed in 40 KB for an agent, in keywords that all models know', async () => {
    const { tools } = await (await scene()).mcp.client.listTools();
    const text = JSON.stringify(tools);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
    // The options of forms have a property that is called const.
    expect(text).not.toMatch(/"const":(?!\{)|"(propertyNames|\$ref|outputSchema)":/);
  });

  it('are all that the instructions and descriptions send a model to', async () => {
    const guidance = async (key: string) => {
      const { client } = await connect(key);
      const { tools } = await client.listTools();
      const texts = [client.getInstructions() ?? '', ...tools.map(({ description }) => description ?? '')];
      return { names: tools.map(({ name }) => name), text: texts.join(' ') };
    };
    const verbs = /\b(?:create|list|get|claim|report|ask|check|attach|complete|fail|handoff|release|start)_[a-z]+\b/g;
    const { id } = await gateway.make('/v1/agents', { name: 'a', role: 'mcp-guided' });
    const keys = [
      await gateway.makeKey(scopes),
      await gateway.makeKey(['agent:self'], { agentId: id }),
      await gateway.makeKey(['tasks:read', 'tasks:write', 'agents:read']),
    ];
    for (const key of keys) {
      const { names, text } = await guidance(key);
      expect(text).not.toMatch(/REST|\/v1\/|GET|POST/);
      expect(names).toEqual(expect.arrayContaining(text.match(verbs) ?? []));
    }
  });

  it('that are unknown are an error of the protocol', async () => {
    const { mcp } = await scene();
    await expect(mcp.call('drop_tables')).rejects.toMatchObject({ code: -32_602 });
  });
});
