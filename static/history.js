// A reader's changes as steps of the browser's history: each settled one is an entry, so that Back undoes it, and Forward
// does it again. What is changed on and on, such as by a dragged slider, is one step.

import { $as } from "./dom.js";

const SETTLED_MS = 700; // without a change, after which the next one is a step of its own

const LONGEST_WAIT_MS = 5000; // for a step that Python shows otherwise than it was written

/** @typedef {{step: number, query: string}} Step */

/** @returns {Step | null} */
const current = () => history.state;

let step = current()?.step ?? 0;
let last = step;
/** @type {string | null} */
let shown = null; // nothing yet
let isNew = false; // whether the next writing is of a new step
let isChanging = false;
let timer = 0;
/** @type {string | null} */
let awaited = null; // the query of a step that the reader has gone to, until Python shows it
let waiting = 0;

function showSteps() {
  $as(HTMLButtonElement, "#undo").disabled = !step;
  $as(HTMLButtonElement, "#redo").disabled = step >= last;
}

/**
 * Notes the query of the setting that is shown: another one than before begins a step, or goes on with it.
 * @param {string} query
 */
export function noteChange(query) {
  if (query === awaited) awaited = null;
  if (awaited !== null || query === shown) return; // what Python still says of the setting before is no change
  if (shown !== null && !isChanging) isNew = isChanging = true;
  shown = query;
  clearTimeout(timer);
  timer = setTimeout(() => (isChanging = false), SETTLED_MS);
}

/**
 * Writes an address into the history.
 * @param {string} address
 * @param {string} query
 */
export function writeStep(address, query) {
  if (awaited !== null) return;
  if (isNew) last = ++step;
  const entry = { step, query };
  if (isNew) history.pushState(entry, "", address);
  else if (address !== location.search || current()?.query !== query) history.replaceState(entry, "", address);
  isNew = false;
  showSteps();
}

/** The query of the step that the reader has gone to, or null where the entry is none. */
export function restoredStep() {
  const entry = current();
  step = entry?.step ?? 0;
  last = Math.max(last, step);
  isNew = isChanging = false;
  shown = entry?.query ?? null; // what Python answers to another address is no change
  awaited = shown;
  clearTimeout(waiting);
  waiting = setTimeout(() => (awaited = null), LONGEST_WAIT_MS);
  showSteps();
  return shown;
}

/** Whether keys write into an element. @param {EventTarget} target */
const isText = (target) =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "checkbox");

/** Lets the reader undo and redo, by buttons and by keys. */
export function useSteps() {
  const undo = () => step && history.back();
  const redo = () => step < last && history.forward();
  $as(HTMLButtonElement, "#undo").addEventListener("click", undo);
  $as(HTMLButtonElement, "#redo").addEventListener("click", redo);
  document.addEventListener("keydown", (event) => {
    if (isText(event.composedPath()[0]) || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  });
  showSteps();
}
