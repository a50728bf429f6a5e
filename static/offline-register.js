// Keeps the site for visits without a network, or, where its build says so, no longer.

/** @param {ServiceWorkerRegistration} registration */
const isOurs = ({ scope }) => scope === new URL("./", document.baseURI).href;

/**
 * Returns whether this very page came from what is kept on the device.
 * @returns {boolean}
 */
export function isKept() {
  if (self.origin === "null") return false; // in a sandbox, reading `serviceWorker` is an error
  return Boolean(navigator.serviceWorker?.controller);
}

/**
 * Registers the service worker, once the page does not need the network for itself.
 * @param {string} [address] Where it lies; without it, what an earlier build registered is removed: the kill switch.
 * @returns {Promise<string>} What became of it: kept, removed or refused.
 */
export async function keepOffline(address) {
  if (self.origin === "null" || !navigator.serviceWorker) return "refused";
  try {
    if (address) {
      await navigator.serviceWorker.register(new URL(address, document.baseURI));
      await navigator.serviceWorker.ready;
      return "kept";
    }
    const registrations = (await navigator.serviceWorker.getRegistrations()).filter(isOurs);
    for (const registration of registrations) {
      await registration.unregister();
      for (const name of await caches.keys()) {
        if (name.startsWith(`roofline ${registration.scope} `)) await caches.delete(name);
      }
    }
    return "removed";
  } catch {
    return "refused";
  }
}
