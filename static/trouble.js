// Says what has failed, in the reader's language: one sentence, what helps, and the engine's own words a click away.

/** @import { Cause } from "./types/messages" */

import { $, $$, element, setText } from "./dom.js";
import { endProgress, notify } from "./notices.js";
import { closeAll } from "./popovers.js";
import { said } from "./render.js";

const EDITED = ".say, .popovers, aside, .take, .tools, .race, .story, .use, .validation"; // what nobody answers any more
const HOPELESS = ["engine"]; // what loading again does not mend

/**
 * Shows it, once; where it has ended the page's Python, what is shown stays and nothing can be edited.
 * @param {{cause: Cause, detail: string, fatal: boolean}} problem
 */
export function showTrouble({ cause, detail, fatal }) {
  const sentence = said(`trouble_${cause}`);
  if ($$(".notices .trouble").some(({ firstChild }) => firstChild?.textContent === sentence)) return;
  const more = element("details");
  more.append(element("summary", said("trouble_details")), element("code", detail));
  const parts = [element("span", sentence), more];
  if (fatal && !HOPELESS.includes(cause)) {
    const button = element("button", said("trouble_reload"), { type: "button", className: "quiet" });
    button.addEventListener("click", () => location.reload());
    parts.splice(1, 0, button);
  }
  const notice = element("p", "", { className: "trouble" });
  notice.append(...parts);
  notify(notice);
  if (!fatal) return;
  closeAll();
  endProgress();
  for (const part of $$(EDITED)) part.inert = true;
  if (document.documentElement.dataset.said !== "yes") setText($(".verdict"), sentence);
}
