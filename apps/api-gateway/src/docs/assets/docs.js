// Shows the contract of this service. Calls go to the address that the page came from, whatever the contract says it is:
// the page may call no other.
const root = document.getElementById('docs');
const base = location.origin + root.dataset.base;

const dark = matchMedia('(prefers-color-scheme: dark)');
const setMode = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setMode);
setMode();

try {
  const answer = await fetch(`${base}/v1/openapi.json`);
  if (!answer.ok) throw new Error(`it was answered with ${answer.status}`);
  const contract = await answer.json();
  SwaggerUIBundle({
    domNode: root,
    spec: { ...contract, servers: [{ url: base }] },
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    deepLinking: true,
    filter: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    oauth2RedirectUrl: `${base}/docs/assets/oauth2-redirect.html`,
  });
} catch (error) {
  root.textContent = `The contract could not be loaded: ${error.message}.`;
}
