import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import type { Task } from '../resources/task-queries.ts';
import { usageQuery } from '../resources/usage/usage-queries.ts';
import { amountText, figure, tokensOf, usageSince } from '../resources/usage/usage-words.ts';

/** Model usage of its agents; nothing for people who may not read figures, or without calls. */
export function TaskUsage({ task }: { task: Task }) {
  const mayRead = useMay('analytics:read');
  const [from] = useState(() => usageSince(task.created_at, Date.now()));
  const { data } = useQuery({ ...usageQuery({ groupBy: 'task', key: task.id, from }), enabled: mayRead });
  const total = data?.total;
  if (!total || total.calls === 0) return null;
  const { calls, cost_usd: cost, unpriced_calls: unpriced } = total;
  return (
    <section aria-label="Models">
      <h2>Models</h2>
      <p>
        {amountText('calls', calls)}, {amountText('tokens', tokensOf(total))}, {amountText('usd', cost)}
        {unpriced > 0 && ` (calls without a price: ${figure(unpriced)})`}
      </p>
    </section>
  );
}
