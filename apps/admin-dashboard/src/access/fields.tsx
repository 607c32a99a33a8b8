import { useId, useState } from 'react';
import { type Scope, useSession } from '../api/session.ts';
import { enumWords } from '../generated/words.ts';
import { SelectField, TextField } from '../parts/field.tsx';
import parts from '../parts/parts.module.css';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import styles from './access.module.css';
import { roles } from './access-search.ts';
import { allScopes, type Role, scopesText, type Tier, tiers } from './access-words.ts';

export type FieldParts = { name: string; defaultValue: string; error: string | undefined; hint: string };

/** What a field needs: its text, and what is wrong with it. */
export const fieldsFor =
  <Name extends string>(texts: Readonly<Record<Name, string>>, errors: Texts) =>
  (name: Name, hint = ''): FieldParts => ({
    name,
    defaultValue: texts[name],
    error: errorOf(errors, name),
    hint,
  });

export function ScopeFields({ defaultValue, error, hint }: FieldParts) {
  const own = useSession().session?.user.scopes ?? [];
  const [given] = useState(defaultValue.split(', '));
  const isFixed = (scope: Scope) => !own.includes(scope) && !given.includes(scope);
  return (
    <Choices label="Scopes" hint={error ?? hint} isWrong={error !== undefined}>
      {allScopes.map((scope) => (
        <label key={scope} className={styles['choice']}>
          <input
            type="checkbox"
            name="scopes"
            value={scope}
            defaultChecked={given.includes(scope)}
            disabled={isFixed(scope)}
          />
          <Choice name={scope} meaning={enumWords.Scope[scope]} />
        </label>
      ))}
    </Choices>
  );
}

export const scopesOf = (form: FormData): Scope[] => form.getAll('scopes').map(String) as Scope[];

export const ownSet = 'scopes';
type RoleChoice = Role | typeof ownSet;

/** `scopes`: those of a user whose set has no name. */
export function RoleFields({ role, scopes }: { role: FieldParts; scopes: FieldParts }) {
  const [chosen, setChosen] = useState<RoleChoice>(role.defaultValue as RoleChoice);
  const choices: readonly (readonly [RoleChoice, string])[] = [
    ...roles.map((one) => [one, enumWords.UserRole[one]] as const),
    [ownSet, 'Chosen one by one.'],
  ];
  return (
    <>
      <Choices label="Role" hint={role.error ?? role.hint} isWrong={role.error !== undefined}>
        {choices.map(([one, meaning]) => (
          <label key={one} className={styles['choice']}>
            <input type="radio" name="role" value={one} checked={chosen === one} onChange={() => setChosen(one)} />
            <Choice name={one} meaning={meaning} />
          </label>
        ))}
      </Choices>
      {chosen === ownSet && <ScopeFields {...scopes} />}
    </>
  );
}

const Choice = ({ name, meaning }: { name: string; meaning: string }) => (
  <span>
    <code>{name}</code> <span className={parts['small']}>{meaning}</span>
  </span>
);

type ChoicesProps = { label: string; hint: string; isWrong: boolean; children: React.ReactNode };

function Choices({ label, hint, isWrong, children }: ChoicesProps) {
  const id = useId();
  return (
    <fieldset className={styles['choices']} aria-describedby={hint ? id : undefined}>
      <legend>{label}</legend>
      {hint && (
        <span id={id} className={isWrong ? parts['error'] : parts['small']}>
          {hint}
        </span>
      )}
      {children}
    </fieldset>
  );
}

export function LimitFields({ tier, rateLimit }: { tier: FieldParts; rateLimit: FieldParts }) {
  return (
    <>
      <SelectField label="Tier" {...tier} hint={tier.hint || 'Requests a minute: 60, 300 and 1,000.'}>
        {tiers.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </SelectField>
      <TextField
        label="Requests a minute"
        {...rateLimit}
        hint={rateLimit.hint || 'In place of the number of the tier. Empty: that of the tier.'}
        type="number"
        min={1}
      />
    </>
  );
}

export const limitsOf = (form: FormData): { tier: Tier; rate_limit: number | null } => {
  const limit = String(form.get('rate_limit') ?? '');
  return { tier: form.get('tier') as Tier, rate_limit: limit === '' ? null : Number(limit) };
};

/** What a set of scopes allows, in the words of the consent page. */
export const ScopeList = ({ scopes }: { scopes: readonly Scope[] }) => (
  <section aria-label="Scopes">
    <h2>Scopes</h2>
    <ul className={styles['scopes']}>
      {scopes.map((scope) => (
        <li key={scope}>
          <Choice name={scope} meaning={enumWords.Scope[scope]} />
        </li>
      ))}
    </ul>
  </section>
);

export const Scopes = ({ given }: { given: readonly Scope[] }) => (
  <span title={scopesText(given)}>{scopesText(given)}</span>
);
