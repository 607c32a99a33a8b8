import { lazy, Suspense } from 'react';
import { Loading } from '../parts/notes.tsx';
import type { StepGraphProps } from './step-graph.tsx';

const StepGraph = lazy(async () => ({ default: (await import('./step-graph.tsx')).StepGraph }));

/** The graph, whose libraries are loaded when it is first shown. */
export const LazyGraph = (props: StepGraphProps) => (
  <section aria-label="Graph">
    <Suspense fallback={<Loading />}>
      <StepGraph {...props} />
    </Suspense>
  </section>
);
