import { CSPProvider } from '@base-ui/react/csp-provider';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useSession } from '../api/session.ts';
import { useConnection } from '../live/connection.ts';
import type { StreamState } from '../live/stream.ts';
import { Button } from '../parts/button.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Loading } from '../parts/notes.tsx';
import { listenToShortcuts, type Shortcut, useActiveShortcuts, useShortcuts } from '../parts/shortcuts.ts';
import { exactTimes } from '../parts/switches.ts';
import { Toasts } from '../parts/toasts.tsx';
import { ChangePassword } from './change-password.tsx';
import { Help } from './help.tsx';
import { Navigation } from './navigation.tsx';
import { allSections, mayOpen } from './sections.ts';
import styles from './shell.module.css';
import { SignInAgain } from './sign-in-again.tsx';
import { StaleNote } from './stale-note.tsx';
import { nextTheme, setTheme } from './theme.ts';

const Palette = lazyPart(() => import('./palette.tsx'), 'Palette');

type Overlay = 'none' | 'palette' | 'help' | 'navigation' | 'password';

export function Layout() {
  const [overlay, setOverlay] = useState<Overlay>('none');
  const close = () => setOverlay('none');
  useGlobalKeys(setOverlay);
  return (
    <CSPProvider disableStyleElements>
      <a className={styles['skip']} href="#main">
        Skip to the content
      </a>
      <div className={styles['frame']}>
        <Navigation isOpen={overlay === 'navigation'} onChosen={close} onPassword={() => setOverlay('password')} />
        <div className={styles['main']}>
          <TopBar
            isOpen={overlay === 'navigation'}
            onToggle={() => setOverlay(overlay === 'navigation' ? 'none' : 'navigation')}
          />
          <ConnectionBanner />
          <main id="main" tabIndex={-1}>
            <StaleNote />
            <Suspense fallback={<Loading />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
      </div>
      {overlay === 'palette' && <Commands onClose={close} />}
      {overlay === 'help' && <Help onClose={close} />}
      {overlay === 'password' && <ChangePassword onClose={close} />}
      <SignInAgain />
      <Toasts />
    </CSPProvider>
  );
}

const TopBar = ({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) => (
  <div className={styles['top']}>
    <Button look="plain" aria-expanded={isOpen} aria-controls="navigation" onClick={onToggle}>
      Menu
    </Button>
    <strong>Agent Service</strong>
  </div>
);

const connectionTexts: Partial<Record<StreamState, string>> = {
  lost: 'The connection is lost. This page may be out of date; it reconnects by itself.',
  limited:
    'Too many pages are open for all of them to update by themselves. Close some; this page tries again by itself.',
  refused: 'This page does not update by itself: you lack the scope events:read.',
};

function ConnectionBanner() {
  const text = connectionTexts[useConnection()];
  return <div role="status">{text && <p className={styles['banner']}>{text}</p>}</div>;
}

function useGlobalKeys(setOverlay: (overlay: Overlay) => void): void {
  const navigate = useNavigate();
  const open = allSections.filter(mayOpen(useSession().session)).map(({ key, label, path }): Shortcut => ({
    keys: `g ${key}`,
    label: `Go to ${label}`,
    run: () => void navigate({ to: `/${path}` }),
  }));
  useShortcuts([
    ...open,
    { keys: '?', label: 'Keyboard shortcuts', run: () => setOverlay('help') },
    { keys: 'T', label: 'Change the theme', run: () => setTheme(nextTheme()) },
    { keys: 'E', label: 'Show exact times, or how long ago', run: () => exactTimes.set(!exactTimes.isOn()) },
  ]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') return setOverlay('none');
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOverlay('palette');
    };
    addEventListener('keydown', onKey);
    const stop = listenToShortcuts();
    return () => {
      removeEventListener('keydown', onKey);
      stop();
    };
  }, [setOverlay]);
}

function Commands({ onClose }: { onClose: () => void }) {
  const commands = useActiveShortcuts();
  return <Palette commands={commands} onClose={onClose} />;
}
