import { basePath } from './base-path.ts';

/** The script of the open page; its name contains a hash of the content. */
const ownScript = document.querySelector('script[type=module][src]')?.getAttribute('src')?.split('/').at(-1);

/** Whether the service serves another release than the open page: parts of the page may not exist any more. */
export async function isNewRelease(): Promise<boolean> {
  try {
    const response = await fetch(`${basePath}/admin/`, { cache: 'no-store' });
    const served = await response.text();
    return response.ok && ownScript !== undefined && served.includes('<script') && !served.includes(ownScript);
  } catch {
    return false;
  }
}
