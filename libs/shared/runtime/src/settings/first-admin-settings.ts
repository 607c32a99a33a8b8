import { emailInput, passwordLength } from '@eas/contracts';
import { z } from 'zod';
import { SettingsError } from './load-settings.ts';
import { setting, type Settings } from './setting.ts';
import { text } from './setting-types.ts';

/** The first admin, created at boot if there is none: both settings, or neither. */
export const firstAdminSettings = {
  email: setting(
    'ADMIN_EMAIL',
    z
      .string()
      .refine((value) => emailInput.safeParse(value).success, 'an e-mail address')
      .optional()
      .describe('E-mail address of the first administrator, created if there is none. Requires ADMIN_PASSWORD.'),
  ),
  password: setting(
    'ADMIN_PASSWORD',
    text(passwordLength.min, passwordLength.max)
      .optional()
      .describe('Password of the first administrator. Requires ADMIN_EMAIL. Later changes have no effect.'),
    'secret',
  ),
};

/** Throws a SettingsError that names the missing setting when only one of the two is set. */
export function requireWholeFirstAdmin({ email, password }: Settings<typeof firstAdminSettings>): void {
  if ((email === undefined) === (password === undefined)) return;
  const [missing, given] = email === undefined ? ['ADMIN_EMAIL', 'ADMIN_PASSWORD'] : ['ADMIN_PASSWORD', 'ADMIN_EMAIL'];
  throw new SettingsError([{ variable: missing, expected: `a value because ${given} is set` }]);
}
