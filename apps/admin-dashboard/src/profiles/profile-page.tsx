import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { Facts } from '../resources/facts.tsx';
import { Actor } from '../resources/names/actor.tsx';
import { ProfileActions } from './profile-actions.tsx';
import { type Profile, profileQuery } from './profile-queries.ts';
import styles from './profiles.module.css';
import { Settings, Versions } from './settings-part.tsx';

export function ProfilePage() {
  const { profileId } = useParams({ from: '/profiles/$profileId' });
  const { data, error, refetch } = useQuery(profileQuery(profileId));
  const mayWrite = useMay('projects:write');
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const profile = data.value;
  return (
    <>
      <PageHead title={profile.name}>{mayWrite && <ProfileActions opened={data} />}</PageHead>
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
      {roles.length + agents.length === 0 && <p className={parts['small']}>No role and no agent uses it yet.</p>}
    </aside>
  );
}
