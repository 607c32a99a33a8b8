import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { NotRead } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { TableHead } from '../resources/charts/table-head.tsx';
import { pricesQuery } from './budget-queries.ts';
import { priceLabels, priceNames } from './budget-values.ts';
import styles from './budgets.module.css';
import { EditPrice } from './edit-price.tsx';

type Props = {
  /** The model whose price is changed, '' for a new one. */
  model: string | undefined;
  mayWrite: boolean;
  onOpen: (model: string) => void;
  onClose: () => void;
};

/** What a million tokens of each model cost. */
export function PriceTable({ model, mayWrite, onOpen, onClose }: Props) {
  const { data, error, refetch } = useQuery(pricesQuery);
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const rows = Object.entries(data.value.prices).sort(([one], [other]) => one.localeCompare(other));
  return (
    <section aria-label="Model prices" className={styles['part']}>
      <h2>Model prices</h2>
      <p className={parts['small']}>
        USD per million tokens. Calls of models without a price are counted in tokens and calls alone.
      </p>
      {rows.length > 0 && (
        <table className={styles['prices']} aria-label="Model prices">
          <TableHead columns={['Model', ...Object.values(priceLabels), ...(mayWrite ? ['Change'] : [])]} />
          <tbody>
            {rows.map(([name, price]) => (
              <tr key={name}>
                <th scope="row" dir="auto">
                  {name}
                </th>
                {priceNames.map((kind) => (
                  <td key={kind}>{price[kind]}</td>
                ))}
                {mayWrite && (
                  <td>
                    <Link to="/budgets" search={{ price: name }} aria-label={`Change the price of ${name}`}>
                      Change
                    </Link>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {mayWrite && <Button onClick={() => onOpen('')}>Add a price</Button>}
      {mayWrite && model !== undefined && <EditPrice opened={data} model={model} onClose={onClose} />}
    </section>
  );
}
