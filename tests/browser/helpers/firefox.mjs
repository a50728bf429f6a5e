// Opens a page in Firefox, moves a control as soon as it is drawn, and prints what happened.
// node firefox.mjs PUPPETEER_FOLDER FIREFOX PROFILE ADDRESS WIDGET SOURCE
import { opened } from "./opened.mjs";

const [, , folder, firefox, profile, address, widget, source] = process.argv;
const { browser, page, errors, until } = await opened(folder, firefox, profile, address);

try {
  await until(() => document.documentElement.dataset.drawn);
  const moved = await page.evaluate(
    (widgetName, sourceName) => {
      /** @type {any} */
      const window_ = window;
      const [document_] = window_.Bokeh.documents;
      const model = document_.get_model_by_name(widgetName);
      const curve = document_.get_model_by_name(sourceName);
      window_.answer = null;
      curve.properties.data.change.connect(() => {
        window_.answer ??= performance.now();
      });
      model.value += 1;
      return document.documentElement.dataset.python;
    },
    widget,
    source,
  );
  const answered = await until("globalThis.answer");
  const route = await until(() => document.documentElement.dataset.route);
  const mark = (/** @type {string} */ name) => {
    return page.evaluate((entry) => performance.getEntriesByName(entry)[0]?.startTime ?? null, name);
  };
  const stored = route === "network" ? await until(() => document.documentElement.dataset.stored) : null;
  const result = {
    stored,
    moved,
    answered,
    route,
    drawn: await mark("drawn yes"),
    ready: await mark("python ready"),
    errors,
  };
  process.stdout.write(JSON.stringify(result));
} finally {
  await browser.close();
}
