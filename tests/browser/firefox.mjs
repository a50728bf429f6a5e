// Opens a page in Firefox, moves a control as soon as it is drawn, and prints what happened.
// node firefox.mjs PUPPETEER_FOLDER FIREFOX PROFILE ADDRESS WIDGET SOURCE
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder, firefox, profile, address, widget, source] = process.argv;
const required = createRequire(path.join(folder, "package.json"));
const { default: puppeteer } = await import(pathToFileURL(required.resolve("puppeteer-core")).href);
const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true, userDataDir: profile });
const page = await browser.newPage();
const errors = [];
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
page.on("pageerror", (error) => errors.push(String(error)));
await page.goto(address);

async function until(expression, ...values) {
  for (const end = Date.now() + 90_000; Date.now() < end; ) {
    const found = await page.evaluate(expression, ...values);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${expression}: not within 90 s; errors: ${errors}`);
}

try {
  await until(() => document.documentElement.dataset.drawn);
  const moved = await page.evaluate(
    (widgetName, sourceName) => {
      const [document_] = Bokeh.documents;
      const model = document_.get_model_by_name(widgetName);
      const curve = document_.get_model_by_name(sourceName);
      globalThis.answer = null;
      curve.properties.data.change.connect(() => {
        globalThis.answer ??= performance.now();
      });
      model.value += 1;
      return document.documentElement.dataset.python;
    },
    widget,
    source,
  );
  const answered = await until(() => globalThis.answer);
  const route = await until(() => document.documentElement.dataset.route);
  const mark = (name) => page.evaluate((entry) => performance.getEntriesByName(entry)[0]?.startTime ?? null, name);
  const result = { moved, answered, route, drawn: await mark("drawn yes"), ready: await mark("python ready"), errors };
  result.stored = route === "network" ? await until(() => document.documentElement.dataset.stored) : null;
  process.stdout.write(JSON.stringify(result));
} finally {
  await browser.close();
}
