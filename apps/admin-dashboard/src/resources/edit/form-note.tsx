import { useLayoutEffect, useRef, useState } from 'react';
import { asProblem } from '../../api/problem.ts';
import { ProblemNote } from '../../parts/notes.tsx';
import parts from '../../parts/parts.module.css';

/** Why a form was refused, with the request ID; the ID alone where the errors of the fields say all of it. */
export function FormNote({ error }: { error: unknown }) {
  const place = useRef<HTMLDivElement>(null);
  const [unsaid, setUnsaid] = useState<readonly string[]>();
  useLayoutEffect(() => {
    const form = place.current?.closest('form');
    if (!error || !form) return;
    const said = [...form.querySelectorAll(`.${parts['error']}`)].map(({ textContent }) => textContent);
    const { fields, message } = asProblem(error);
    const missing = Object.entries(fields).filter(([, sentence]) => !said.some((text) => text.includes(sentence)));
    const isSaid = missing.length === 0 && Object.keys(fields).length > 0;
    const others = missing.filter(([, sentence]) => sentence !== message);
    setUnsaid(isSaid ? undefined : others.map(([field, sentence]) => `${field}: ${sentence}`));
  }, [error]);
  const requestId = error ? asProblem(error).requestId : undefined;
  return (
    <div ref={place}>
      {error && unsaid ? (
        <ProblemNote error={error}>
          {unsaid.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </ProblemNote>
      ) : (
        requestId && <span className={parts['small']}>Request {requestId}</span>
      )}
    </div>
  );
}
