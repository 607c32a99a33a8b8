import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useBarHeight } from './use-bar-height.ts';
import { createSeeing, type Edge } from './seeing.ts';

export type Seeing = {
  isSeen: boolean;
  /** Why nothing was decided; '' at first. */
  hint: string;
  /** Decides if the subject was on screen; otherwise scrolls to it and shows a hint. */
  whenSeen: (decide: () => void) => void;
  subject: RefObject<HTMLDivElement | null>;
  bar: RefObject<HTMLDivElement | null>;
};

const hints: Readonly<Record<Edge, string>> = {
  start: 'Not decided: read this first, then decide again.',
  end: 'Not decided: there is more. Read to the end, then decide again.',
};

const edgeOf = (subject: HTMLElement | null, edge: Edge) => subject?.querySelector(`:scope > [data-edge=${edge}]`);

/** `covered`: pixels at the bottom of the window. */
function show(element: Element | null | undefined, edge: Edge, covered: number): void {
  if (!element) return;
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight - covered) element.scrollIntoView({ block: edge });
}

/** For a `Subject` and its `DecisionBar`. `what`: the version that is shown; a new version must be seen again. */
export function useSeeing(what: string): Seeing {
  const subject = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<string>();
  const [asked, setAsked] = useState<{ what: string; edge: Edge }>();
  const seeing = useMemo(() => createSeeing(() => setSeen(what)), [what]);
  const covered = useBarHeight(bar);
  useEffect(() => seeing.stop, [seeing]);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) =>
        entries.forEach(({ target, isIntersecting }) =>
          seeing.move((target as HTMLElement).dataset['edge'] as Edge, isIntersecting),
        ),
      { rootMargin: `0px 0px -${covered}px` },
    );
    for (const edge of ['start', 'end'] as const) {
      const element = edgeOf(subject.current, edge);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [seeing, covered]);
  const wanted = asked?.what === what ? asked : undefined;
  // Again when the hint has made the bar taller: it would cover the end.
  useEffect(() => {
    if (wanted && wanted.edge === seeing.missing()) show(edgeOf(subject.current, wanted.edge), wanted.edge, covered);
  }, [wanted, seeing, covered]);
  const isSeen = seen === what;
  const whenSeen = (decide: () => void) => {
    const edge = isSeen ? undefined : seeing.missing();
    if (edge === undefined) return decide();
    setAsked({ what, edge });
    subject.current?.focus({ preventScroll: true });
  };
  return { isSeen, hint: wanted ? hints[wanted.edge] : '', whenSeen, subject, bar };
}
