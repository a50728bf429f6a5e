// What the page says of itself: notices, and how far the start is.

import { $, addUntilFilled, element, setText } from "./dom.js";
import { said } from "./render.js";

const root = document.documentElement;
const bar = $(".bar");
/** @type {Record<string, [number, number]>} From which percent to which a stage goes. */
const STAGES = {
  download: [0, 30],
  interpreter: [30, 40],
  packages: [40, 80],
  page: [80, 95],
  draw: [95, 100],
};

/**
 * Shows a text beside Python's notices, until Python's next answer; once, however often it is said.
 * @param {string | HTMLElement} notice
 */
export function notify(notice) {
  const shown = typeof notice === "string" ? element("p", notice) : notice;
  const isSaid = [...$(".notices").children].some(({ textContent }) => textContent === shown.textContent);
  if (!isSaid) addUntilFilled($(".notices"), shown);
}

/**
 * Shows how far a stage of the start is; the bar never goes back.
 * @param {string} stage
 * @param {number} done
 * @param {number} total
 */
export function showProgress(stage, done, total) {
  const [from, to] = STAGES[stage] ?? [0, 60];
  const percent = Math.round(from + (to - from) * (total ? done / total : 0));
  if (percent < Number(bar.getAttribute("aria-valuenow"))) return;
  bar.setAttribute("aria-valuenow", String(percent));
  if (stage in STAGES && root.dataset.said !== "yes") setText($(".verdict"), said(`stage_${stage}`));
  $("i", bar).style.width = `${percent}%`;
}

/** The words on the page are right from now on. */
export function endLoading() {
  root.dataset.said = "yes";
  document.body.classList.remove("loading");
}

/** Python is there. */
export const endProgress = () => bar.classList.add("done");

const SETTLED_MS = 1000;
let spoken = ""; // the answer that the page opened with needs no announcement
let speaking = 0;

/**
 * Says an answer to screen readers, once what it follows from has settled.
 * @param {string} answer
 */
export function announce(answer) {
  clearTimeout(speaking);
  if (!spoken || root.dataset.python !== "ready") spoken = answer;
  if (answer === spoken) return;
  speaking = setTimeout(() => {
    spoken = answer;
    setText($(".announcement"), answer);
  }, SETTLED_MS);
}
