// Opens a page in Firefox, for the scripts that the tests run.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** @import { Browser, Page } from "puppeteer-core" */

const LONGEST_MS = 90_000;

/**
 * Opens a page.
 * @param {string} folder Of Puppeteer.
 * @param {string} executablePath Of Firefox.
 * @param {string} userDataDir Profile.
 * @param {string} address Of the page.
 * @returns {Promise<{browser: Browser, page: Page, errors: string[], until: (expression: any, ...values: unknown[]) => Promise<any>}>}
 *   The browser, the page, what went wrong in it so far, and a way to wait for what it says.
 */
export async function opened(folder, executablePath, userDataDir, address) {
  const required = createRequire(path.join(folder, "package.json"));
  /** @type {{default: import("puppeteer-core").PuppeteerNode}} */
  const { default: puppeteer } = await import(pathToFileURL(required.resolve("puppeteer-core")).href);
  const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, userDataDir });
  const page = await browser.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(address);
  /** @type {(expression: any, ...values: unknown[]) => Promise<any>} */
  async function until(expression, ...values) {
    for (const end = Date.now() + LONGEST_MS; Date.now() < end;) {
      const found = await page.evaluate(expression, ...values);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`${expression}: not within ${LONGEST_MS} ms; errors: ${errors}`);
  }
  return { browser, page, errors, until };
}
