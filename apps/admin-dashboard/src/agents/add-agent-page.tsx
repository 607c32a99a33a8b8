import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import log from '../resources/log.module.css';
import { RoleField } from '../resources/names/role-filter.tsx';
import { AgentElsewhere } from './agent-elsewhere.tsx';
import styles from './agents.module.css';
import { LocalAgents } from './local-agents.tsx';
import { useMayStartHere } from './local-runner-queries.ts';

/** Adds an agent that works: on the machine of the service by a button, or elsewhere by a line to paste. */
export function AddAgentPage() {
  const [role, setRole] = useState('rd');
  const [mayStartHere, mayCreate] = [useMayStartHere(), useMay('agents:write')];
  if (!mayCreate) return <PageHead title="You do not have permission" />;
  return (
    <>
      <PageHead title="Add an agent" />
      <div className={log['page']}>
        <RoleField
          label="Role"
          value={role}
          onChange={({ target }) => setRole(target.value.trim())}
          hint="It claims the tasks of this role, such as rd, qa or pm."
          required
        />
        {mayStartHere && (
          <section aria-labelledby="here">
            <h2 id="here">On this machine</h2>
            <p className={parts['small']}>
              The machine that the service runs on. The agent works there as the user of the service, and is started
              again whenever it ends.
            </p>
            <LocalAgents role={role} />
          </section>
        )}
        <section aria-labelledby="elsewhere">
          <h2 id="elsewhere">On another machine</h2>
          <p className={`${parts['small']} ${styles['lead']}`}>
            An agent and its key are made, and you paste one line into a terminal there.
          </p>
          <AgentElsewhere role={role} />
        </section>
        <section aria-labelledby="by-hand">
          <h2 id="by-hand">By hand</h2>
          <p>
            <Link to="/agents" search={{ new: true }} data-opens-page>
              Register an agent
            </Link>{' '}
            with a name, a role and capabilities, for a program or a model of your own.
          </p>
        </section>
      </div>
    </>
  );
}
