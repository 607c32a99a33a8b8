import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { EditForm } from '../resources/edit/edit-form.tsx';
import type { Integration } from '../resources/integrations/integration-names.ts';
import { IntegrationFields } from './integration-fields.tsx';
import { integrationQuery } from './integration-queries.ts';
import { bodyOf, labelsOf, textsOf } from './integration-values.ts';

export function ChangeIntegration({ opened, onClose }: { opened: Versioned<Integration>; onClose: () => void }) {
  const { id, type } = opened.value;
  return (
    <EditForm
      title="Change the integration"
      resource="integrations"
      opened={opened}
      query={integrationQuery(id)}
      labels={labelsOf(type)}
      textsOf={textsOf}
      send={(form, { value, etag }) => {
        const params = { path: { integration_id: id }, header: { 'If-Match': etag } };
        // The API checks the values.
        const body = bodyOf(type, form, value) as Schemas['ChangeIntegration'];
        return read(api.PATCH('/v1/integrations/{integration_id}', { params, body }));
      }}
      done="Integration changed"
      onClose={onClose}
    >
      {(integration, errors) => <IntegrationFields type={type} integration={integration} errors={errors} />}
    </EditForm>
  );
}
