import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { isNewRelease } from '../api/new-release.ts';
import { Problem } from '../api/problem.ts';
import { Button } from './button.tsx';
import { Loading, ProblemNote } from './notes.tsx';

class PartNotLoaded extends Error {}

type LazyPart<P> = ((props: P) => ReactNode) & {
  /** Preloads the part; a failure is reported when the part is shown. */
  preload(): Promise<void>;
};

/**
 * A part of a page that is loaded when it is first shown. If loading fails, a note replaces it and the rest of the page
 * stays: the person can retry, and after a new release the note asks to reload the page.
 */
export function lazyPart<const Name extends string, P extends object>(
  load: () => Promise<Record<Name, ComponentType<P>>>,
  name: Name,
): LazyPart<P> {
  let loaded: ComponentType<P> | undefined;
  async function loadPart() {
    try {
      loaded ??= (await load())[name];
      return { default: loaded };
    } catch (error) {
      throw new PartNotLoaded(`${name} was not loaded`, { cause: error });
    }
  }
  const begin = (): { part: ComponentType<P> } => ({ part: loaded ?? (lazy(loadPart) as unknown as ComponentType<P>) });

  function Part(props: P) {
    const [attempt, setAttempt] = useState(() => ({ ...begin(), number: 0 }));
    const Shown = attempt.part;
    return (
      <Boundary key={attempt.number} onRetry={() => setAttempt(({ number }) => ({ ...begin(), number: number + 1 }))}>
        <Suspense fallback={<Loading />}>
          <Shown {...props} />
        </Suspense>
      </Boundary>
    );
  }
  return Object.assign(Part, { preload: () => loadPart().then(ignore, ignore) });
}

const ignore = () => {};

type BoundaryProps = { children: ReactNode; onRetry: () => void };

class Boundary extends Component<BoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- rethrown unchanged, for a caller that knows it
    if (!(error instanceof PartNotLoaded)) throw error;
    return <NotLoaded onRetry={this.props.onRetry} />;
  }
}

const facts = { status: 0, fields: {} };
const isAway = new Problem({ kind: 'offline', message: 'Check the connection, then try again.', ...facts });
const isReplaced = new Problem({ kind: 'unavailable', message: 'Reload the page to go on with it.', ...facts });

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  const [isOld, setOld] = useState(false);
  useEffect(() => void isNewRelease().then(setOld), []);
  if (!isOld) return <ProblemNote title="This part could not be loaded" error={isAway} onRetry={onRetry} />;
  return (
    <ProblemNote title="The dashboard has a new version" error={isReplaced}>
      <Button onClick={() => location.reload()}>Reload the page</Button>
    </ProblemNote>
  );
}
