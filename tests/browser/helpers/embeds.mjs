// Opens a page with embeds in Firefox, waits until all of them are live, and prints what each shows.
// node embeds.mjs PUPPETEER_FOLDER FIREFOX PROFILE ADDRESS LIVE SHOWN PICTURES, the last three JavaScript as text:
// functions of the page and of an embed, and a value of the page
import { opened } from "./opened.mjs";

const [, , folder, firefox, profile, address, live, shown, pictured] = process.argv;
const { browser, page, errors, until } = await opened(folder, firefox, profile, address);

try {
  await until(`(${live})()`);
  const frames = [];
  for (const frame of page.frames()) {
    if (frame.url().includes("embed.html")) frames.push(await frame.evaluate(`(${shown})()`));
  }
  const pictures = await page.evaluate(pictured);
  process.stdout.write(JSON.stringify({ workers: page.workers().length, frames, pictures, errors }));
} finally {
  await browser.close();
}
