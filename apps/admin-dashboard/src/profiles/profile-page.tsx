import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { Ask } from '../resources/ask.tsx';
import { ChecksPart } from '../resources/checks/checks-part.tsx';
import { Facts } from '../resources/facts.tsx';
import { Actor } from '../resources/names/actor.tsx';
import { useChange } from '../resources/use-change.ts';
import { EditProfile } from './profile-form.tsx';
import { type Profile, profileQuery, type ReadProfile, versionsQuery } from './profile-queries.ts';
import styles from './profiles.module.css';

export function ProfilePage() {
  const { profileId } = useParams({ from: '/profiles/$profileId' });
  const { data, error, refetch } = useQuery(profileQuery(profileId));
  const mayWrite = useMay('projects:write');
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const profile = data.value;
  return (
    <>
      <PageHead title={profile.name}>{mayWrite && <Actions opened={data} />}</PageHead>
      <div className={styles['page']}>
        <div className={styles['story']}>
          {profile.description !== null && (
            <p className={parts['text']} dir="auto">
              {profile.description}
            </p>
          )}
          <Settings profile={profile} />
          <Versions profileId={profileId} />
        </div>
        <ProfileFacts profile={profile} />
      </div>
    </>
  );
}

type Asked = 'edit' | 'delete';

function Actions({ opened }: { opened: ReadProfile }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Button look="primary" onClick={() => setAsked('edit')}>
        Edit
      </Button>
      <Button look="danger" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'edit' && <EditProfile opened={opened} onClose={close} />}
      {asked === 'delete' && <DeleteProfile opened={opened} onClose={close} />}
    </>
  );
}

function DeleteProfile({ opened: { value, etag }, onClose }: { opened: ReadProfile; onClose: () => void }) {
  const navigate = useNavigate();
  const params = { path: { profile_id: value.id }, header: { 'If-Match': etag } };
  const change = useChange({
    resource: 'profiles',
    send: () => read(api.DELETE('/v1/profiles/{profile_id}', { params })),
    done: 'Profile deleted',
    onDone: () => void navigate({ to: '/profiles', search: {} }),
  });
  return (
    <Ask title="Delete this profile?" verb="Delete the profile" isDangerous change={change} onClose={onClose}>
      Its roles and agents have none any more, and its versions are gone. This cannot be undone.
    </Ask>
  );
}

function Settings({ profile }: { profile: Profile }) {
  const { instructions, skills, mcp_servers: servers, checks } = profile;
  const isEmpty = instructions === null && skills.length + servers.length + checks.length === 0;
  return (
    <>
      {isEmpty && <p>It has no instructions, skills, MCP servers or checks.</p>}
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
    </>
  );
}

const Shown = ({ text }: { text: string }) => (
  <pre className={styles['shown']} tabIndex={0} dir="auto">
    {text}
  </pre>
);

/** What changed the settings, newest first. */
function Versions({ profileId }: { profileId: string }) {
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

function ProfileFacts({ profile }: { profile: Profile }) {
  const { id, roles, agents, model, effort, version, created_at: created, updated_at: updated } = profile;
  const facts = {
    Roles: roles.length > 0 && roles.join(', '),
    Agents: agents.length > 0 && agents.map((agent) => <Actor key={agent} id={agent} />),
    Model: model ?? 'default of the agent',
    Effort: effort ?? 'default of the agent',
    Version: version,
    Changed: <Moment at={updated} />,
    Created: <Moment at={created} />,
    ID: <code>{id}</code>,
  };
  return (
    <aside aria-label="About the profile">
      <Facts facts={facts} />
      {roles.length + agents.length === 0 && (
        <p className={parts['small']}>No role and no agent has it yet: nobody works by it.</p>
      )}
    </aside>
  );
}
