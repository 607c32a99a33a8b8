// Shows the contract of this service. Calls go to the address that the page came from, whatever the contract says it is:
// the page may call no other.
import { nameControls, plainTitles } from './accessible.js';
import { showContents } from './contents.js';

const root = document.getElementById('docs');
const base = location.origin + root.dataset.base;

const dark = matchMedia('(prefers-color-scheme: dark)');
const setMode = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setMode);
setMode();

try {
  const response = await fetch(`${base}/v1/openapi.json`);
  if (!response.ok) throw new Error(`the status is ${response.status}`);
  const contract = await response.json();
  const ui = SwaggerUIBundle({
    domNode: root,
    spec: { ...contract, servers: [{ url: base }] },
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [plainTitles],
    layout: 'BaseLayout',
    deepLinking: true,
    // Of 150 lines Swagger UI keeps only those in view in the page, so neither links nor the browser's search find the others.
    docExpansion: 'none',
    filter: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    oauth2RedirectUrl: `${base}/docs/assets/oauth2-redirect.html`,
  });
  nameControls(root);
  showContents(document.getElementById('contents'), contract, ui);
} catch (error) {
  root.textContent = `The contract could not be loaded: ${error.message}.`;
}
