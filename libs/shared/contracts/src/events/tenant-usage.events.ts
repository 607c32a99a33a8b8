import { exampleId } from '../fields.ts';
import { exampleUsageFigures, usageFigures } from '../usage-figures.ts';
import { defineEvents, eventData, id, name, word } from './event.ts';

/** Events of the operator's tenant. */
export const tenantUsageEvents = defineEvents({
  'tenant.usage_recorded': {
    visibility: 'public',
    data: eventData(
      'A month of a tenant is closed: what it used, for bills. Sent once for each tenant and month.',
      {
        tenant_id: id('ID of the tenant.'),
        slug: word('Short name of the tenant.'),
        name: name('Name of the tenant.'),
        month: word('The month in UTC, as `2026-11`.'),
        ...usageFigures,
      },
      { tenant_id: exampleId('tnt'), slug: 'acme', name: 'Acme', month: '2026-11', ...exampleUsageFigures },
    ),
    facts: null,
  },
});
