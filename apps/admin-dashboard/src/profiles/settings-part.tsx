import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Moment } from '../parts/moment.tsx';
import parts from '../parts/parts.module.css';
import { ChecksPart } from '../resources/checks/checks-part.tsx';
import { lineOfRules } from '../resources/rules/rules.ts';
import { amountText, budgetPeriods } from '../resources/usage/usage-words.ts';
import { Actor } from '../resources/names/actor.tsx';
import { type Profile, versionsQuery } from './profile-queries.ts';
import styles from './profiles.module.css';

/** The settings that agents get from a profile. */
export function Settings({ profile }: { profile: Profile }) {
  const { instructions, skills, mcp_servers: servers, checks, permission_rules: rules, budgets } = profile;
  const lists = [skills, servers, checks, rules, budgets];
  const isEmpty = instructions === null && lists.every(({ length }) => length === 0);
  return (
    <>
      {isEmpty && <p>It has no instructions, skills, MCP servers, checks, permission rules or budgets.</p>}
      {instructions !== null && (
        <section aria-label="Instructions">
          <h2>Instructions</h2>
          <Shown text={instructions} />
        </section>
      )}
      {skills.map(({ name, files }) => (
        <section key={name} aria-label={`Skill ${name}`}>
          <h2>Skill {name}</h2>
          {files.map(({ path, content }) => (
            <details key={path}>
              <summary>{path}</summary>
              <Shown text={content} />
            </details>
          ))}
        </section>
      ))}
      {servers.map((server) => (
        <section key={server.name} aria-label={`MCP server ${server.name}`}>
          <h2>MCP server {server.name}</h2>
          <Shown text={server.type === 'stdio' ? [server.command, ...(server.args ?? [])].join(' ') : server.url} />
        </section>
      ))}
      {checks.length > 0 && (
        <section aria-label="Checks of the profile">
          <h2>Checks</h2>
          <ChecksPart checks={checks} />
        </section>
      )}
      {rules.length > 0 && (
        <section aria-label="Permission rules">
          <h2>Permission rules</h2>
          <ol>
            {rules.map((rule, at) => (
              <li key={at} dir="auto">
                {lineOfRules([rule])}
              </li>
            ))}
          </ol>
        </section>
      )}
      {budgets.length > 0 && (
        <section aria-label="Budgets of the profile">
          <h2>Budgets</h2>
          <ul>
            {budgets.map(({ unit, period, limit }) => (
              <li key={`${unit} ${period}`}>
                {amountText(unit, limit)} for {budgetPeriods[period]}
              </li>
            ))}
          </ul>
          <p className={parts['small']}>
            Of all agents with the profile together. <Link to="/budgets">What is used up of them</Link>
          </p>
        </section>
      )}
    </>
  );
}

const Shown = ({ text }: { text: string }) => (
  <pre className={styles['shown']} tabIndex={0} dir="auto">
    {text}
  </pre>
);

/** The versions of the settings, newest first. */
export function Versions({ profileId }: { profileId: string }) {
  const { data } = useQuery(versionsQuery(profileId));
  if (!data) return null;
  return (
    <details>
      <summary>Versions of the settings</summary>
      <ol reversed className={styles['versions']}>
        {data.data.map(({ version, created_at: at, created_by: by }) => (
          <li key={version} value={version}>
            <Moment at={at} /> by <Actor id={by} />
          </li>
        ))}
      </ol>
    </details>
  );
}
