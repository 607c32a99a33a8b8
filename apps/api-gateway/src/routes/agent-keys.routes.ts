import { giverOf } from '@eas/access';
import { idOutput, keyReadOnly, mintAgentKeyBody, shownKey } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { mintKeyOfAgent } from '../operations/mint-key.ts';

/** `ceiling`: requests a minute of a whole tenant. */
export const agentKeyRoutes = (ceiling: number): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/agents/{agent_id}/keys',
    operationId: 'createAgentKey',
    summary: 'Create a key for an agent',
    tags: ['Agents'],
    access: { scope: 'agents:write' },
    params: z.object({ agent_id: idOutput }),
    body: mintAgentKeyBody,
    readOnly: keyReadOnly,
    responses: {
      201: {
        description: 'The key, with the scope agent:self alone. Its text is shown this once.',
        schema: shownKey,
        headers: { Location: 'Where admins read the key.' },
      },
    },
    errors: ['forbidden', 'invalid_input', 'not_found'],
    handler: async (ctx, { params: { agent_id: agentId }, body, principal }) => {
      const key = await mintKeyOfAgent(ctx, { agentId, body, giver: giverOf(principal, ceiling) });
      return { status: 201, body: key, headers: { Location: `/admin/api/keys/${key.id}` } };
    },
  }),
];
