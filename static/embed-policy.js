// The policy of an embed names the site's own origin: a frame without an origin has no 'self' in every browser.
{
  const currentScript = /** @type {HTMLScriptElement} */ (document.currentScript);
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = (currentScript.dataset.policy ?? "").replaceAll("'self'", `'self' ${location.origin}`);
  currentScript.after(meta);
}
