// The reader's files, chosen, dropped or pasted: a config.json, or a benchmark's measurements; and what is done with them.

/** @import { OwnFile } from "./types/protocol" */
/** @import { Send } from "./types/messages" */

import { $, $as, closest, setText } from "./dom.js";
import { notify } from "./notices.js";
import { closeAll } from "./popovers.js";
import { said } from "./render.js";
import { build } from "./worker-start.js";

const MOST_FILES = 50;
// A shorter text pasted beside the fields is a slip, no benchmark.
const LEAST_PASTED = 20;

/**
 * Returns a file, or a text as one, in base64.
 * @param {Blob} file
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
 * @param {Iterable<File>} given
 * @param {Send} send
 */
async function useFiles(given, send) {
  /** @type {OwnFile[]} */
  const files = [];
  const all = [...given];
  if (all.length > MOST_FILES) notify(said("too_many_files") ?? "");
  for (const file of all.slice(0, MOST_FILES)) {
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
    await useFiles(field.files ?? [], send);
    field.value = "";
  });
}

/**
 * Returns the entries of a folder, which a browser gives in portions.
 * @param {FileSystemDirectoryEntry} folder
 * @returns {Promise<FileSystemEntry[]>}
 */
async function entriesOf(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const portion = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!portion.length || all.length > MOST_FILES) return all;
    all.push(...portion);
  }
}

/**
 * Yields the files of an entry, those in its folders too.
 * @param {FileSystemEntry} entry
 * @returns {AsyncGenerator<File>}
 */
async function* filesOf(entry) {
  if (entry.isDirectory) {
    const inside = await entriesOf(/** @type {FileSystemDirectoryEntry} */ (entry));
    for (const each of inside.sort((one, other) => (one.name < other.name ? -1 : 1))) yield* filesOf(each);
  } else {
    const { file } = /** @type {FileSystemFileEntry} */ (entry);
    yield await new Promise((resolve, reject) => file.call(entry, resolve, reject));
  }
}

/**
 * Sends dropped files, and those of dropped folders.
 * @param {DataTransfer} dropped
 * @param {Send} send
 */
async function useDropped(dropped, send) {
  const files = [...dropped.files]; // to be read before anything is waited for, as are the entries
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null);
  if (!entries.some((entry) => entry?.isDirectory)) return useFiles(files, send);
  /** @type {File[]} */
  const found = [];
  try {
    for (const entry of entries) {
      if (entry) for await (const file of filesOf(entry)) if (found.push(file) > MOST_FILES) break;
    }
  } catch (error) {
    notify(String(error instanceof Error ? error.message : error));
  }
  return useFiles(found, send);
}

/**
 * Sends a pasted text as a file.
 * @param {string} text
 * @param {Send} send
 */
function usePasted(text, send) {
  if (text.trim()) useFiles([new File([text], said("own_pasted") ?? "")], send);
}

/**
 * Takes what is pasted anywhere but in a field.
 * @param {Send} send
 */
function usePastes(send) {
  addEventListener("paste", (event) => {
    const [target] = event.composedPath();
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    const files = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (files.length) useFiles(files, send);
    else if (text.trim().length >= LEAST_PASTED) usePasted(text, send);
  });
  $("#own-use").addEventListener("click", () => {
    const field = $as(HTMLTextAreaElement, "#own-text");
    usePasted(field.value, send);
    field.value = "";
  });
}

/**
 * Takes a file's setting over, or sets the draft length that it does not state.
 * @param {Send} send
 */
function useOwnFiles(send) {
  const setDrafts = (/** @type {HTMLElement} */ item) => {
    const button = $("[data-drafts]", item);
    const file = Number(button.dataset.drafts);
    send("draft-length", { file, drafts: $as(HTMLInputElement, "input", item).value });
  };
  $("#own-list").addEventListener("click", (event) => {
    const take = closest(event, "[data-take]");
    const set = closest(event, "[data-drafts]");
    if (take) send("query", take.dataset.take ?? "");
    else if (set?.parentElement) setDrafts(set.parentElement);
  });
  $("#own-list").addEventListener("keydown", (event) => {
    const item = closest(event, "li");
    if (event.key === "Enter" && item && event.target instanceof HTMLInputElement) setDrafts(item);
  });
  $("#own-contribute").addEventListener("click", () => send("contribute", null));
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
    if (event.dataTransfer) useDropped(event.dataTransfer, send);
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
  $("#config-file").addEventListener("change", () => closeAll());
  useField("#own-files", send);
  useDrops(send);
  usePastes(send);
  useOwnFiles(send);
  $("#own-clear").addEventListener("click", () => send("clear-points", null));
  const fit = $as(HTMLButtonElement, "#own-fit");
  fit.addEventListener("click", () => {
    fit.disabled = true; // until Python's next answer
    setText($("#own-fit-hint"), said("own_fitting"));
    send("fit-points", null);
  });
}
