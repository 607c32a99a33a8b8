import { useQuery } from '@tanstack/react-query';
import { BarChart } from '../resources/charts/bar-chart.tsx';
import { TimeChart } from '../resources/charts/time-chart.tsx';
import { budgetsQuery, usageQuery } from '../resources/usage/usage-queries.ts';
import { type Budget, budgetName, budgetUnits, tokensOf, type UsageGroup } from '../resources/usage/usage-words.ts';
import { CsvLinks } from './csv-links.tsx';

const usd = [{ name: 'USD', tone: 'accent' }] as const;
const tokens = [{ name: 'Tokens', tone: 'accent' }] as const;

/** What agents used models for since the start of the period, and how much of the budgets is used up. */
export function ModelUse({ from }: { from: string }) {
  const models = useQuery(usageQuery({ groupBy: 'model', from }));
  const roles = useQuery(usageQuery({ groupBy: 'role', from }));
  const budgets = useQuery(budgetsQuery);
  const { groups = [], points: days = [] } = models.data ?? {};
  return (
    <section aria-label="Models">
      <h2>Models</h2>
      {groups.length === 0 && <p>No agent has reported a call to a model in this period.</p>}
      {groups.length > 0 && (
        <>
          <TimeChart
            caption="Cost by day"
            unit="day"
            series={usd}
            points={days.map(({ at, cost_usd: cost }) => ({ at, values: [cost] }))}
          />
          <BarChart caption="Cost by model" of="Model" series={usd} bars={groups.map(costOf)} />
          <BarChart caption="Tokens by model" of="Model" series={tokens} bars={groups.map(sizeOf)} />
          <BarChart caption="Cost by role" of="Role" series={usd} bars={(roles.data?.groups ?? []).map(costOf)} />
          <CsvLinks label="As CSV, day by day:" report="usage" groupings={groupings} from={from} />
        </>
      )}
      <Unpriced calls={models.data?.total.unpriced_calls ?? 0} />
      <Budgets budgets={budgets.data?.data ?? []} />
    </section>
  );
}

/** Those of the exports, which have every group by day, also what the charts leave out. */
const groupings = ['model', 'role', 'agent', 'project', 'run', 'task', 'attempt'];

const costOf = ({ key, cost_usd: cost }: UsageGroup) => ({ name: key, values: [cost] });
const sizeOf = (group: UsageGroup) => ({ name: group.key, values: [tokensOf(group)] });

const Unpriced = ({ calls }: { calls: number }) =>
  calls > 0 && <p>Calls to models without a price: {calls}. They are in the tokens, not in the cost.</p>;

/** Budgets that count each task separately have no single figure. */
function Budgets({ budgets }: { budgets: Budget[] }) {
  return (Object.keys(budgetUnits) as Budget['unit'][]).map((unit) => {
    const bars = budgets.flatMap((budget) =>
      budget.unit === unit && budget.current
        ? [{ name: budgetName(budget), values: [budget.current.spent], total: budget.limit }]
        : [],
    );
    const series = [{ name: `Used, in ${budgetUnits[unit]}`, tone: 'accent' }] as const;
    const isShown = bars.length > 0;
    return (
      isShown && <BarChart key={unit} caption={`Budgets in ${budgetUnits[unit]}`} of="Budget" {...{ series, bars }} />
    );
  });
}
