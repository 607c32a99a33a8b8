import type { Schemas } from '../../api/client.ts';
import styles from '../../parts/parts.module.css';
import { Facts } from '../facts.tsx';

type Contract = Schemas['TaskContract'];

/** What the work needs before it counts as done. */
export const Requirements = ({
  contract: { artifacts = [], result_schema: schema, review },
}: {
  contract: Contract;
}) => (
  <section aria-label="Completion requirements">
    <h2>Completion requirements</h2>
    <Facts
      facts={{
        Artifacts: artifacts.length > 0 && artifacts.map((kind) => kind.replaceAll('_', ' ')).join(', '),
        Review: review && reviewerOf(review),
      }}
    />
    {schema && (
      <details>
        <summary>Schema of the result</summary>
        <pre className={styles['code']} tabIndex={0} aria-label="Schema of the result">
          {JSON.stringify(schema, null, 2)}
        </pre>
      </details>
    )}
  </section>
);

function reviewerOf({ role, agent_id: agentId, person }: NonNullable<Contract['review']>): string {
  if (role !== undefined) return `an agent of the role ${role}`;
  if (agentId !== undefined) return `the agent ${agentId}`;
  return person ? 'a person' : 'not named';
}
