import type { ReactNode } from 'react';
import layouts from '../parts/layouts.module.css';

type Named = Readonly<Record<string, ReactNode>>;

/** Names and values; facts without a value are left out. `own`: facts named by users, after the others. */
export const Facts = ({ facts, own = {} }: { facts: Named; own?: Named }) => (
  <dl className={layouts['facts']}>
    {rowsOf(facts, 'fact')}
    {rowsOf(own, 'own')}
  </dl>
);

const rowsOf = (facts: Named, kind: string) =>
  Object.entries(facts)
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([name, value]) => (
      <div key={`${kind} ${name}`} style={{ display: 'contents' }}>
        <dt dir="auto">{name}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    ));
