// The page around the figures: theme, address bar, popovers, buttons, dropped files, and the link to Python.

import { connect } from "./connection.js";
import { embedCode, tellHost, watchHeight } from "./embed-frame.js";
import { takeFile } from "./export.js";
import { isKept } from "./offline-register.js";
import { asked, language, switchLink, translate } from "./language.js";
import { present, whole } from "./presentation.js";
import { watchForms } from "./forms.js";
import { build, home } from "./worker-start.js";
import { $, $$, element, handle, said, setText, show } from "./render.js";
import { placeTools, useTools } from "./figure-tools.js";
import { showUse, useUse } from "./commands.js";
import { showRace, useRace } from "./race.js";

const LARGEST_FILE_BYTES = 2 ** 24; // as roofline_app.calibration.benchmarks
const MOST_FILES = 10;
const ADDRESS_PAUSE_MS = 250;
const WATCH_DELAY_MS = 300;
const LONGEST_DRAWING_MS = 20_000; // after which an embed shows what it has
const THEMES = ["auto", "light", "dark"];
const root = document.documentElement;
const isEmbed = "embed" in root.dataset;
const dark = matchMedia("(prefers-color-scheme: dark)");
const phone = matchMedia("(max-width: 720px)");
const start = new URLSearchParams(location.search);

translate();
placeTools();
present();
if (isEmbed) watchHeight();

// Theme

const themeWords = Object.fromEntries(THEMES.map((name) => [name, said(`theme_${name}`)]));
let chosenTheme = THEMES.includes(start.get("theme")) ? start.get("theme") : "auto";
const theme = () => (chosenTheme === "auto" ? (dark.matches ? "dark" : "light") : chosenTheme);

function showTheme() {
  root.dataset.theme = theme();
  setText($("#theme"), themeWords[chosenTheme]);
}

// Address bar

const asPreset = root.dataset.preset ? `preset=${root.dataset.preset}` : ""; // a page of its own for each preset
let query = [asPreset, location.search.slice(1)].filter(Boolean).join("&");
let live = false; // whether Python is there
let watched = false; // whether it has been told which figures can be seen
let answer = null; // Python's last state
let addressTimer = 0;

function address(chosenLanguage = asked, shown = query) {
  const own = new URLSearchParams();
  if (chosenTheme !== "auto") own.set("theme", chosenTheme);
  if (chosenLanguage) own.set("lang", chosenLanguage);
  return `?${[shown.replace(/(^|&)(theme|lang)=[^&]*/g, ""), String(own)].filter(Boolean).join("&")}`;
}

switchLink(address); // the other language's page opens what this address asks for

const absolute = (relative) => new URL(`${home}${relative}`, document.baseURI).href;

function writeAddress() {
  addressTimer ||= setTimeout(() => {
    addressTimer = 0;
    switchLink(address);
    $("#whole a").href = `${home}${address(asked, whole(query))}`;
    if (!isEmbed && address() !== location.search) history.replaceState(null, "", address());
  }, ADDRESS_PAUSE_MS);
}

// Progress and errors

const bar = $(".bar");
const STAGES = { download: [0, 30], interpreter: [30, 40], packages: [40, 80], page: [80, 95], draw: [95, 100] };

function showProgress(stage, done, total) {
  const [from, to] = STAGES[stage] ?? [0, 60];
  const percent = Math.round(from + (to - from) * (total ? done / total : 0));
  if (percent < Number(bar.getAttribute("aria-valuenow"))) return;
  bar.setAttribute("aria-valuenow", String(percent));
  if (stage in STAGES && root.dataset.said !== "yes") setText($(".verdict"), said(`stage_${stage}`));
  $("i", bar).style.width = `${percent}%`;
}

/** Shows a text beside Python's notices, until Python's next answer. */
function notify(text) {
  const notices = $(".notices");
  notices.append(element("p", text));
  notices.shown = null;
}

const removePosters = () => $$(".poster").forEach((poster) => poster.remove());

/** Shows what the build drew for a preset, until Python is there; pictures do not know who wants them still. */
function showPosters(preset) {
  const ending = `${language === "en" ? "" : `-${language}`}.svg${matchMedia("(prefers-reduced-motion: reduce)").matches ? "#still" : ""}`;
  for (const place of $$(".plot, .race")) {
    const { figure } = place.closest("[data-figure]").dataset;
    const poster = element("img", "", { className: "poster", alt: "" }); // its words come with Python
    poster.src = `${home}posters/${preset}-${figure}-${theme()}${ending}`;
    place.before(poster);
  }
  root.dataset.posters = "";
}

// The link to Python. Until it answers, the words of the default setting would be wrong for any other link.

const link = query.replace(/(^|&)(theme|lang)=[^&]*/g, "").replace(/^&/, "");
const written = $("#preset-state");
const isAsWritten = written && whole(link) === asPreset && language === "en";
const drawnPresets = build.inlined ? [] : JSON.parse($("#drawn-presets")?.textContent ?? "[]");
if (!isAsWritten) {
  removePosters();
  const [preset, ...others] = new URLSearchParams(link);
  const isDrawn = preset?.[0] === "preset" && !others.length && drawnPresets.includes(preset[1]);
  if (isDrawn && !isKept()) showPosters(preset[1]); // what is kept has no pictures, and is soon live
}
if (isAsWritten) {
  root.dataset.said = "yes";
  document.body.classList.remove("loading");
  show(JSON.parse(written.textContent));
} else if (link) for (const button of $$("[data-open]")) setText(button, "…");

const { send } = connect({
  query: link,
  theme: theme(),
  language,
  shown: figuresInSight(),
  onProgress: showProgress,
  onState(state) {
    query = state.query;
    root.dataset.said = "yes";
    document.body.classList.remove("loading");
    show(state);
    answer = state;
    showUse(state.use);
    showRace(state.race);
    takeFile(state.file).catch((error) => notify(String(error)));
    for (const [figure, { waits, revision }] of Object.entries(state.pending)) {
      if (waits && live) send("advance", { figure, revision }); // a piece at a time, so that no change waits long
    }
    writeAddress();
  },
  onReady() {
    bar.classList.add("done");
    removePosters();
    live = true;
    setTimeout(watchFigures, isEmbed ? 0 : WATCH_DELAY_MS); // what the reader touches first comes before what nobody sees yet
    if (isEmbed) setTimeout(tellHost, LONGEST_DRAWING_MS, { live: true });
  },
  onIdle() {
    // The figures that can be seen are drawn by now, and may take their poster's place.
    if (isEmbed && watched && !Object.values(answer?.pending ?? {}).some(({ waits }) => waits)) tellHost({ live: true });
  },
  onDrawn: nameHandle,
  onError: (text) => notify(text),
});

if (phone.matches) send("narrow", true);
phone.addEventListener("change", () => send("narrow", phone.matches));
dark.addEventListener("change", () => {
  showTheme();
  send("theme", theme());
});
showTheme();

/** Sliders' handles carry no name of their own. */
function nameHandle(name) {
  const found = handle(name);
  const title = found?.getRootNode().querySelector(".bk-slider-title")?.textContent.split(":")[0];
  found?.setAttribute("aria-label", title ?? name);
}

/** Names of the figures that a reader sees. */
function figuresInSight() {
  const isInSight = (figure) => {
    const { top, bottom, height } = figure.getBoundingClientRect();
    return height > 0 && bottom > 0 && top < innerHeight;
  };
  return $$("[data-figure]").filter(isInSight).map(({ dataset }) => dataset.figure);
}

function watchFigures() {
  const watcher = new IntersectionObserver(
    (entries) => {
      watched = true;
      for (const { target, isIntersecting } of entries) {
        const isShown = isIntersecting || (isEmbed && !target.hidden); // it is told live, and takes its poster's place, unseen
        send("show", { figure: target.dataset.figure, visible: isShown });
      }
    },
    { rootMargin: "200px" },
  );
  for (const figure of $$("[data-figure]")) watcher.observe(figure);
}

// Popovers

function close(name) {
  $(`#open-${name}`).hidden = true;
  $(`[data-open="${name}"]`).setAttribute("aria-expanded", "false");
  $(".presets").inert = false;
}

function closeAll() {
  for (const button of $$("[data-open][aria-expanded=true]")) close(button.dataset.open);
}

function open(button) {
  const popover = $(`#open-${button.dataset.open}`);
  closeAll();
  popover.hidden = false;
  button.setAttribute("aria-expanded", "true");
  $(".presets").inert = true; // the popover lies above them
  const box = popover.parentElement.getBoundingClientRect();
  const anchor = button.getBoundingClientRect();
  const left = Math.max(0, Math.min(anchor.left - box.left, box.width - popover.offsetWidth));
  popover.style.left = `${left}px`;
  popover.style.top = `${anchor.bottom - box.top + 6}px`;
  const host = $("[data-root]", popover)?.firstElementChild?.shadowRoot;
  const field = host && $("input, select, .noUi-handle", host);
  field?.focus();
  if (button.dataset.open === "model") field?.select?.();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-open]");
  if (button) {
    if (button.getAttribute("aria-expanded") === "true") close(button.dataset.open);
    else open(button);
    return;
  }
  if (!event.target.closest?.(".popover")) closeAll();
});
document.addEventListener("keydown", (event) => {
  const opened = $("[data-open][aria-expanded=true]");
  if (event.key !== "Escape" || !opened) return;
  close(opened.dataset.open);
  opened.focus();
});

// Buttons

/** Copies a text; where the browser does not allow it, shows it to be copied by hand. */
async function copyText(button, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    notify(text);
    return;
  }
  const words = button.textContent;
  if (words === said("copied")) return;
  setText(button, said("copied"));
  setTimeout(() => setText(button, words), 1500);
}

/** The answer for a post: headline, verdict and link. */
function markdown() {
  const plain = (text) => text.replace(/[\\`*_[\]<>#|]/g, "\\$&");
  const link = absolute(address(asked, whole(query))).replace(/[()]/g, encodeURIComponent);
  return `**${plain(answer.headline_text)}**\n\n${plain(answer.verdict)}\n\n[${said("title")}](${link})\n`;
}

document.addEventListener("click", (event) => {
  const target = event.target.closest?.("[data-preset], [data-model], [data-remove], [data-hide], [data-copy]");
  if (!target) return;
  const { preset, model, remove, hide, copy } = target.dataset;
  if (preset && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    history.pushState(null, "", target.getAttribute("href"));
    send("preset", preset);
  } else if (model) {
    send("model", model);
    closeAll();
  } else if (remove) {
    send("remove-drafter", Number(remove));
  } else if (hide) {
    send("hide", { line: Number(hide), hidden: target.getAttribute("aria-pressed") !== "true" });
  } else if (copy) {
    const rows = $$(`[data-table="${copy}"] tr`).map((row) => $$("th, td", row).map((cell) => cell.textContent).join("\t"));
    copyText(target, rows.join("\n"));
  }
});
$("#validation").addEventListener("toggle", ({ target }) => send("validation", target.open));
watchForms((change) => send("field", change));
$("#add-drafter").addEventListener("click", () => send("add-drafter", null));
for (const button of $$(".switch[aria-pressed]")) {
  button.addEventListener("click", () => send("switch", { name: button.id, on: button.getAttribute("aria-pressed") !== "true" }));
}
$("#pin").addEventListener("click", () => send("pin", true));
$("#unpin").addEventListener("click", () => send("pin", false));
$("#swap").addEventListener("click", () => send("swap", null));
$("#theme").addEventListener("click", () => {
  chosenTheme = THEMES[(THEMES.indexOf(chosenTheme) + 1) % THEMES.length];
  showTheme();
  send("theme", theme());
  writeAddress();
});
$("#copy-link").addEventListener("click", ({ target }) => copyText(target, absolute(address())));
$("#copy-markdown").addEventListener("click", ({ target }) => copyText(target, markdown()));
useTools(send, copyText, {
  link: (figure) => absolute(address(asked, `${whole(query)}&figure=${figure}`)),
  embed: (figure, kind) => embedCode(kind, { figure, site: absolute(""), query: address(asked, `${whole(query)}&figure=${figure}`).slice(1), preset: answer?.preset }),
});
useUse(send, copyText);
useRace(send);
addEventListener("popstate", () => send("query", location.search.slice(1)));

// Files, chosen or dropped: a config.json, or a benchmark's measurements; a pasted config.json

/** Returns a file in base64; it is read only where it is no larger than any file that is of use. */
async function contentOf(file) {
  const reader = new FileReader();
  const done = new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(file);
  await done;
  return reader.result.slice(reader.result.indexOf(",") + 1);
}

/** Sends the files that can be read and are not too large. */
async function useFiles(given) {
  const files = [];
  for (const file of [...given].slice(0, MOST_FILES)) {
    if (file.size > LARGEST_FILE_BYTES) notify(`${file.name}: ${said("file_too_large")}`);
    else {
      try {
        files.push({ name: file.name, content: await contentOf(file) });
      } catch (error) {
        notify(`${file.name}: ${error.message}`); // a folder, or a file that is gone
      }
    }
  }
  if (files.length) send("files", files);
}

$("#config-use").addEventListener("click", () => {
  send("config", $("#config-text").value);
  closeAll();
});
$("#config-file").addEventListener("change", ({ target }) => {
  useFiles(target.files).finally(() => (target.value = ""));
  closeAll();
});
$("#own-files").addEventListener("change", ({ target }) => useFiles(target.files).finally(() => (target.value = "")));
$("#own-clear").addEventListener("click", () => send("clear-points", null));
$("#own-fit").addEventListener("click", ({ target }) => {
  target.disabled = true; // until Python's next answer
  setText($("#own-fit-hint"), said("own_fitting"));
  send("fit-points", null);
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  useFiles(event.dataTransfer.files);
});
