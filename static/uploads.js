// The reader's files, chosen or dropped: a config.json, or a benchmark's measurements; a pasted config.json.

/** @import { OwnFile } from "./types/protocol" */
/** @import { Send } from "./types/messages" */

import { $, $as, setText } from "./dom.js";
import { notify } from "./notices.js";
import { closeAll } from "./popovers.js";
import { said } from "./render.js";
import { build } from "./worker-start.js";

const MOST_FILES = 10;

/**
 * Returns a file in base64.
 * @param {File} file
 * @returns {Promise<string>}
 */
async function contentOf(file) {
  const reader = new FileReader();
  const done = new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(file);
  await done;
  const address = String(reader.result);
  return address.slice(address.indexOf(",") + 1);
}

/**
 * Sends the files that can be read and are no larger than any that is of use.
 * @param {FileList | null} given
 * @param {Send} send
 */
async function useFiles(given, send) {
  /** @type {OwnFile[]} */
  const files = [];
  for (const file of [...(given ?? [])].slice(0, MOST_FILES)) {
    if (file.size > build.largestFileBytes) notify(`${file.name}: ${said("file_too_large")}`);
    else {
      try {
        files.push({ name: file.name, content: await contentOf(file) });
      } catch (error) {
        notify(`${file.name}: ${error instanceof Error ? error.message : error}`); // a folder, or a file that is gone
      }
    }
  }
  if (files.length) send("files", files);
}

/**
 * @param {string} selector Of a field that chooses files.
 * @param {Send} send
 */
function useField(selector, send) {
  const field = $as(HTMLInputElement, selector);
  field.addEventListener("change", async () => {
    await useFiles(field.files, send);
    field.value = "";
  });
}

/** @param {Send} send */
function useDrops(send) {
  const setDropping = (/** @type {boolean} */ isDropping) => document.body.classList.toggle("dropping", isDropping);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    setDropping(true);
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) setDropping(false);
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    setDropping(false);
    useFiles(event.dataTransfer?.files ?? null, send);
  });
}

/**
 * Lets the reader give files, and fit a profile to what they hold.
 * @param {Send} send
 */
export function useUploads(send) {
  $("#config-use").addEventListener("click", () => {
    send("config", $as(HTMLTextAreaElement, "#config-text").value);
    closeAll();
  });
  useField("#config-file", send);
  $("#config-file").addEventListener("change", closeAll);
  useField("#own-files", send);
  useDrops(send);
  $("#own-clear").addEventListener("click", () => send("clear-points", null));
  const fit = $as(HTMLButtonElement, "#own-fit");
  fit.addEventListener("click", () => {
    fit.disabled = true; // until Python's next answer
    setText($("#own-fit-hint"), said("own_fitting"));
    send("fit-points", null);
  });
}
