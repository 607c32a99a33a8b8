import { workflowDefinition } from '@eas/contracts';
import type { Db, UseCaseContext } from '@eas/db';
import { createAgent } from '@eas/tasks';
import { createWorkflow } from '@eas/workflows';

const benchRole = 'runs';
export const stepKeys = ['plan', 'build', 'verify', 'ship'];

/** Four steps in a line, each with the result of the one before it in its task. */
const definition = workflowDefinition.parse({
  name: 'Bench',
  description: 'Four steps, one after the other.',
  estimated_duration: 'no time',
  steps: stepKeys.map((id, index) => ({
    id,
    name: `Step ${id}`,
    role: benchRole,
    needs: stepKeys.slice(Math.max(0, index - 1), index),
    timeout: 3_600,
    task: {
      title: `{{run.name}}: ${id}`,
      description: index === 0 ? 'Begin.' : `Go on from {{steps.${stepKeys[index - 1]}.result.ok}}.`,
    },
  })),
});

export async function makeWorkflow(ctx: UseCaseContext): Promise<string> {
  const { body } = await createWorkflow(ctx, definition);
  return body.id;
}

export async function makeBenchAgents(ctx: UseCaseContext, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const agent = { name: `agent ${number}`, role: benchRole, capabilities: [], max_concurrent_tasks: 1 };
    ids.push((await createAgent(ctx, agent)).id);
  }
  return ids;
}

/** So that the next scenario's steps are not planned for them. To be called when nothing refers to them any more. */
export const removeBenchAgents = (db: Db) => db.query('DELETE FROM agents WHERE role = $1', [benchRole]);
