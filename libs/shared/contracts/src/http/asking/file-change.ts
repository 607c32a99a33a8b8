import { z } from 'zod';

const longText = z.string().max(65_536);

/** How sessions and permissions show a change of a file. */
export const fileChange = {
  path: z.string().min(1).max(4_096).describe('The file.'),
  old_text: longText.describe('What was there. Empty for a new file.'),
  new_text: longText.describe('What is there now.'),
};
