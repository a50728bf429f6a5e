// The service worker: keeps one build's files for visits without a network. Every name but the page's own changes with
// its content, and the page comes from the network where there is one, so that builds never mix.

const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { build, files } = KEPT; // the build's name and its files, written before this script
const PREFIX = `roofline ${scope.registration.scope} `;
const NAME = PREFIX + build;

async function install() {
  const cache = await caches.open(NAME);
  for (const file of files) {
    if (!(await cache.match(file))) await cache.add(file); // one after the other: the page comes first
  }
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
  }
  await scope.clients.claim();
}

/**
 * The embed is the page itself, told so by the build (`roofline_app.site.share_pages`) or here.
 * @param {Response} page
 */
async function asEmbed(page) {
  const headers = new Headers(page.headers);
  for (const name of ["Content-Length", "Content-Encoding"]) headers.delete(name);
  return new Response((await page.text()).replace("<html ", "<html data-embed "), { headers });
}

/**
 * Answers without a network: the page, its embed, and presets' addresses by the page's own; nothing else is kept.
 * @param {Request} request
 * @returns {Promise<Response | undefined>}
 */
async function keptPage(request) {
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice(new URL(scope.registration.scope).pathname.length).replace(/index\.html$/, "");
  const preset = path.match(/^p\/([\w.-]+)\/?$/)?.[1];
  if (preset) return Response.redirect(`./?${[`preset=${preset}`, search.slice(1)].filter(Boolean).join("&")}`);
  if (!["", "embed.html"].includes(path)) return undefined;
  const kept = await (await caches.open(NAME)).match("./");
  return kept && path ? asEmbed(kept) : kept;
}

/** @param {Request} request */
async function answerPage(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await keptPage(request);
    if (kept) return kept;
    throw error;
  }
}

/** @param {Request} request */
async function answerFile(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request)) ?? fetch(request);
}

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope.registration.scope)) return;
  event.respondWith(request.mode === "navigate" ? answerPage(request) : answerFile(request));
});
