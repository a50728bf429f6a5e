// Opens a page with embeds in Firefox, waits until all of them are live, and prints what each shows.
// node embeds.mjs PUPPETEER_FOLDER FIREFOX PROFILE ADDRESS LIVE SHOWN, the last two JavaScript functions as text
import { opened } from "./opened.mjs";

const [, , folder, firefox, profile, address, live, shown] = process.argv;
const { browser, page, errors, until } = await opened(folder, firefox, profile, address);

try {
  await until(`(${live})()`);
  const frames = [];
  for (const frame of page.frames()) {
    if (frame.url().includes("embed.html")) frames.push(await frame.evaluate(`(${shown})()`));
  }
  process.stdout.write(JSON.stringify({ workers: page.workers().length, frames, errors }));
} finally {
  await browser.close();
}
