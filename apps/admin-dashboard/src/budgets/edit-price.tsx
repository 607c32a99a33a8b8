import { api, read, type Versioned } from '../api/client.ts';
import { TextField } from '../parts/field.tsx';
import { ChangeButton } from '../resources/edit/change-button.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { errorOf } from '../resources/edit/versions.ts';
import { pricesQuery } from './budget-queries.ts';
import { modelIn, priceIn, priceLabels, priceNames, type Prices, textsOfPrice } from './budget-values.ts';

type Props = { opened: Versioned<Prices>; model: string; onClose: () => void };

const change = (etag: string, prices: Record<string, ReturnType<typeof priceIn> | null>) =>
  read(api.PATCH('/v1/model-prices', { params: { header: { 'If-Match': etag } }, body: { prices } }));

/** Changes the price of a model; of a new one when `model` is ''. */
export function EditPrice({ opened, model, onClose }: Props) {
  const isNew = model === '';
  return (
    <EditForm
      title={isNew ? 'Add a price' : `Change the price of ${model}`}
      resource="budgets"
      opened={opened}
      query={pricesQuery}
      labels={priceLabels}
      textsOf={(table) => textsOfPrice(table, model)}
      send={(form, { etag }) => change(etag, { [isNew ? modelIn(form) : model]: priceIn(form) })}
      done="Price saved: calls that end from now on cost it"
      onClose={onClose}
    >
      {(table, errors) => (
        <>
          {isNew && (
            <TextField
              label="Model"
              name="model"
              maxLength={200}
              hint="Its name, or the beginning of names and *: the exact name counts first, then the longest beginning."
              error={errorOf(errors, 'prices')}
              required
            />
          )}
          {priceNames.map((name) => (
            <TextField
              key={name}
              label={priceLabels[name]}
              name={name}
              type="number"
              min={0}
              step="any"
              defaultValue={textsOfPrice(table, model)[name]}
              hint={
                name.startsWith('cache') ? 'USD per million tokens. Empty: as the input.' : 'USD per million tokens.'
              }
              required={!name.startsWith('cache')}
            />
          ))}
          {!isNew && (
            <p>
              <RemovePrice {...{ opened, model, onClose }} />
            </p>
          )}
        </>
      )}
    </EditForm>
  );
}

const RemovePrice = ({ opened, model, onClose }: Props) => (
  <ChangeButton
    look="danger"
    change={{
      resource: 'budgets',
      send: () => change(opened.etag, { [model]: null }),
      done: 'Price removed: calls of the model are counted, and cost nothing',
      onDone: onClose,
    }}
    failed="Not removed"
  >
    Remove the price
  </ChangeButton>
);
