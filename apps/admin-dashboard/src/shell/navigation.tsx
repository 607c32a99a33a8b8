import { Link } from '@tanstack/react-router';
import { basePath } from '../api/base-path.ts';
import { type Scope, signOut, useSession } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { sayProblem } from '../parts/toasts.tsx';
import { accessSections, mayOpen, operatorPages, sections } from './sections.ts';
import styles from './shell.module.css';
import { nextTheme, setTheme, useTheme } from './theme.ts';
import { totalOf, useWaiting } from './waiting.ts';

type NavigationProps = { isOpen: boolean; onChosen: () => void; onPassword: () => void };

export function Navigation({ isOpen, onChosen, onPassword }: NavigationProps) {
  const { session } = useSession();
  const user = session?.user;
  const may = (scope: Scope) => user?.scopes.includes(scope) ?? false;
  return (
    <nav id="navigation" aria-label="Sections" className={styles['side']} data-open={isOpen}>
      <p className={styles['brand']}>Agent Service</p>
      {sections.filter(mayOpen(session)).map(({ path, label }) => (
        <Link key={path} to={`/${path}`} className={styles['link']} onClick={onChosen}>
          {label}
          {path === 'inbox' && <WaitingBadge />}
        </Link>
      ))}
      <OperatorPages />
      {may('admin') && <AccessLinks onChosen={onChosen} />}
      <div className={styles['foot']}>
        <ThemeButton />
        <a className={styles['link']} href={`${basePath}/docs`}>
          API documentation
        </a>
        <p className={styles['who']} dir="auto">
          {user?.name}
        </p>
        <Button look="plain" onClick={onPassword}>
          Change password
        </Button>
        <Button look="plain" onClick={() => void signOut().catch((error) => sayProblem('Not signed out', error))}>
          Sign out
        </Button>
      </div>
    </nav>
  );
}

function OperatorPages() {
  const { session } = useSession();
  const may = session?.is_operator ? session.user.scopes : [];
  return operatorPages
    .filter(({ scopes }) => scopes.some((scope) => may.includes(scope)))
    .map(({ path, label }) => (
      <a key={path} className={styles['link']} href={`${basePath}/admin/${path}`}>
        {label}
      </a>
    ));
}

const AccessLinks = ({ onChosen }: { onChosen: () => void }) => (
  <>
    <p className={styles['heading']}>Access</p>
    {accessSections.map(({ path, label }) => (
      <Link key={path} to={`/${path}`} className={styles['link']} onClick={onChosen}>
        {label}
      </Link>
    ))}
  </>
);

function WaitingBadge() {
  const { inputs, reviews } = useWaiting();
  const count = totalOf(inputs.data) + totalOf(reviews.data);
  return count === 0 ? null : (
    <span className={styles['badge']} aria-label={`${count} waiting`}>
      {count}
    </span>
  );
}

function ThemeButton() {
  const theme = useTheme();
  return (
    <Button look="plain" onClick={() => setTheme(nextTheme())}>
      Theme: {theme}
    </Button>
  );
}
