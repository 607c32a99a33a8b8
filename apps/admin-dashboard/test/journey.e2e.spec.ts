import { expect } from '@jest/globals';
import { inBrowser, person, useDashboard } from './dashboard.ts';
import { startReceiver } from './receiver.ts';

const { open, adminLink } = useDashboard({ hasAdmin: false });

inBrowser('a new operator comes from the first link to a delivered webhook, without a terminal', async () => {
  const receiver = await startReceiver();
  const { page, close } = await open({ isSignedIn: false, path: adminLink() });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click();
  const titled = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();

  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await press('Create the administrator account');
  await titled('Overview');

  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('No webhooks').waitFor();
  await press('Create');
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByLabel('Events').fill('task.created');
  await press('Create');
  await page.getByText('It is shown only once.').waitFor();
  await press('Done');
  await titled(receiver.url);

  await page.getByRole('link', { name: 'Tasks' }).click();
  await press('Create');
  await page.getByLabel('Title').fill('Limit login attempts');
  await page.getByLabel('Description').fill('At most five in a minute.');
  await press('Create');
  await titled('Limit login attempts');

  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('link', { name: receiver.url }).click();
  const log = page.getByRole('table', { name: 'Deliveries' });
  await log.getByText('delivered').waitFor();
  await log.getByRole('link', { name: 'task.created' }).click();
  await page.getByText('Attempt 1').waitFor();
  await page.getByText('"title": "Limit login attempts"').waitFor();
  expect(receiver.bodies.map((body) => JSON.parse(body) as unknown)).toMatchObject([
    { event_type: 'task.created', data: { title: 'Limit login attempts' } },
  ]);
  await close();
  await receiver.stop();
});
