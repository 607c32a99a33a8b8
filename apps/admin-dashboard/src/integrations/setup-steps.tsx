import type { IntegrationType } from '../work/integrations/integration-names.ts';
import { typeWords } from './integration-words.ts';

/** Where the address and the secret go in the other system. */
export const SetupSteps = ({ type }: { type: IntegrationType }) => (
  <ol>
    {typeWords[type].steps.map((step) => (
      <li key={step}>{step}</li>
    ))}
  </ol>
);
