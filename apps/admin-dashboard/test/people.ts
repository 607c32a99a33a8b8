import type { DashboardSystem } from './dashboard.ts';

let made = 0;

/** Other people than the administrator of the suite. */
export const peopleOf = ({ open, post }: Pick<DashboardSystem, 'open' | 'post'>) => ({
  makeUser(rights: object) {
    const name = `User ${(made += 1)}`;
    const email = `user${made}-${Date.now()}@example.com`;
    return post('/admin/api/users', { email, name, password: personalPassword, ...rights });
  },
  /** A page of one of them. */
  async openAs(email: string, path: string, password = personalPassword) {
    const visit = await open({ isSignedIn: false, path: `/sign-in?return_to=${encodeURIComponent(path)}` });
    await visit.page.getByLabel('E-mail').fill(email);
    await visit.page.getByLabel('Password').fill(password);
    await visit.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await visit.page.locator('#navigation').waitFor();
    return visit;
  },
});

export const personalPassword = 'quite some words in a row';
