import type { IntegrationType } from '../resources/integrations/integration-names.ts';
import { typeWords } from './integration-words.ts';
import styles from './integrations.module.css';

/** Where the address and the secret go in the other system. */
export const SetupSteps = ({ type }: { type: IntegrationType }) => (
  <ol className={styles['steps']}>
    {typeWords[type].steps.map((step) => (
      <li key={step}>{step}</li>
    ))}
  </ol>
);
