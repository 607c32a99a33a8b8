import { giverOf } from '@eas/access';
import { idOutput, keyReadOnly, mintAgentKeyBody, shownKey } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { mintKeyOfAgent } from '../../operations/mint-key.ts';

/** `ceiling`: requests a minute of a whole tenant. */
export const agentKeyRoutes = (ceiling: number): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/agents/{agent_id}/keys',
    operationId: 'createAgentKey',
    summary: 'Create a key for an agent',
    description: [
      'Creates an API key that acts as the agent. Use it to let an agent claim tasks and report on them.',
      'The key has only the scope `agent:self`. Its text is shown only in this response: store it where the agent can read it. Deleting the agent revokes the key.',
    ],
    tags: ['Agents'],
    access: { scope: 'agents:write' },
    params: z.object({ agent_id: idOutput }),
    body: mintAgentKeyBody,
    readOnly: keyReadOnly,
    responses: {
      201: {
        description: 'The created key.',
        schema: shownKey,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['forbidden', 'invalid_input', 'not_found'],
    handler: async (ctx, { params: { agent_id: agentId }, body, principal }) => {
      const key = await mintKeyOfAgent(ctx, { agentId, body, giver: giverOf(principal, ceiling) });
      return { status: 201, body: key, headers: { Location: `/admin/api/keys/${key.id}` } };
    },
  }),
];
