// The page around the figures: words, popovers, cards, tables, presets, dropped files, the address bar.
// All words come from Python as text and are set as text.

import { connect } from "./loader.js";

const LARGEST_CONFIG_BYTES = 1_000_000;
const ADDRESS_PAUSE_MS = 250;
const THEMES = ["auto", "light", "dark"];
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
const phone = matchMedia("(max-width: 720px)");
const start = new URLSearchParams(location.search);

function element(tag, text = "", properties = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  made.textContent = text;
  return made;
}

/** What index.html says under a key, in the language of the page. */
function said(key) {
  return ($(`[data-text="${key}"]`, $("#words").content) ?? $(`[data-text="${key}"]`)).textContent;
}

function setText(target, text) {
  if (target && target.textContent !== text) target.textContent = text;
}

/** Fills a list again only where what it shows has changed. */
function fill(target, items, make) {
  const shown = JSON.stringify(items);
  if (target.shown === shown) return;
  target.shown = shown;
  target.replaceChildren(...items.map(make));
}

// Theme

const themeWords = Object.fromEntries(THEMES.map((name) => [name, said(`theme_${name}`)]));
let chosenTheme = THEMES.includes(start.get("theme")) ? start.get("theme") : "auto";
const theme = () => (chosenTheme === "auto" ? (dark.matches ? "dark" : "light") : chosenTheme);

function showTheme() {
  root.dataset.theme = theme();
  setText($("#theme"), themeWords[chosenTheme]);
}

// Address bar

let query = location.search.slice(1);
let addressTimer = 0;

function address() {
  const own = chosenTheme === "auto" ? "" : `&theme=${chosenTheme}`;
  return `?${query.replace(/(^|&)theme=[^&]*/g, "")}${own}`;
}

function writeAddress() {
  addressTimer ||= setTimeout(() => {
    addressTimer = 0;
    if (address() !== location.search) history.replaceState(null, "", address());
  }, ADDRESS_PAUSE_MS);
}

// Python's words on the page

function showHeadline({ big, words, facts }) {
  setText($("[data-head=big]"), big);
  setText($("[data-head=words]"), words);
  fill($(".facts"), facts, ({ label, value, was }) => {
    const fact = element("div");
    const number = element("dd", value);
    if (was) number.append(" ", element("small", was));
    fact.append(element("dt", label), number);
    return fact;
  });
}

function showCards(drafters, most) {
  for (const card of $$(".card")) {
    const line = drafters[Number(card.dataset.line)];
    card.hidden = !line;
    if (!line) continue;
    card.style.setProperty("--line-colour", line.colour);
    setText($("[data-card=name]", card), line.name);
    setText($("[data-card=kind]", card), line.kind);
    $(".card-kind", card).title = line.description;
    setText($("[data-card=form-hint]", card), line.hint);
    $("[data-row=acceptance]", card).classList.toggle("typed", line.typed);
    $("[data-row=block]", card).hidden = !line.block;
    $("[data-remove]", card).hidden = drafters.length === 1;
  }
  $("#add-drafter").hidden = drafters.length >= most;
}

function showPresets(presets) {
  fill($(".presets"), presets, ({ id, title, query: link, current }) => {
    const item = element("li");
    const anchor = element("a", title, { href: `?${link}` });
    anchor.dataset.preset = id;
    if (current) anchor.setAttribute("aria-current", "true");
    item.append(anchor);
    return item;
  });
  const current = presets.find((preset) => preset.current);
  $(".story").hidden = !current;
  setText($(".story"), current?.story ?? "");
}

function showModels(models, chosen) {
  const families = Map.groupBy
    ? Map.groupBy(models, ({ label }) => label.split(" · ")[0])
    : models.reduce((all, model) => all.set(model.label.split(" · ")[0], [...(all.get(model.label.split(" · ")[0]) ?? []), model]), new Map());
  fill($(".models"), [...families].map(([family, entries]) => ({ family, entries, chosen })), ({ family, entries }) => {
    const item = element("li");
    item.append(element("p", family));
    for (const { id, label } of entries) {
      const button = element("button", label.split(" · ").slice(1).join(" · "), { type: "button" });
      button.dataset.model = id;
      if (id === chosen) button.setAttribute("aria-current", "true");
      item.append(button);
    }
    return item;
  });
}

function showTable(name, table) {
  const target = $(`[data-table="${name}"] .scroll`);
  fill(target, [table], ({ caption, header, rows }) => {
    const made = element("table");
    made.append(element("caption", caption));
    const head = element("tr");
    head.append(...header.map((text) => element("th", text, { scope: "col" })));
    made.createTHead().append(head);
    made.createTBody().append(
      ...rows.map((cells) => {
        const row = element("tr");
        row.append(...cells.map((text, column) => (column ? element("td", text) : element("th", text, { scope: "row" }))));
        return row;
      }),
    );
    return made;
  });
}

function show(state) {
  query = state.query;
  root.dataset.said = "yes";
  for (const [name, words] of Object.entries(state.words)) setText($(`[data-open="${name}"]`), words);
  showHeadline(state.headline);
  setText($(".verdict"), state.verdict);
  fill($(".notices"), state.notices, (notice) => element("p", notice));
  showCards(state.drafters, state.most_drafters);
  showPresets(state.presets);
  showModels(state.models, state.model);
  for (const [name, table] of Object.entries(state.tables)) showTable(name, table);
  for (const [name, text] of Object.entries(state.notes)) setText($(`[data-note="${name}"]`), text);
  for (const [name, entries] of Object.entries(state.keys)) {
    fill($(`[data-key="${name}"]`), entries, ({ colour, words }) => {
      const item = element("li");
      const swatch = element("i");
      swatch.style.background = colour;
      item.append(swatch, words);
      return item;
    });
  }
  $("#fixed-length").setAttribute("aria-pressed", String(state.fixed_length));
  writeAddress();
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

function notify(text) {
  $(".notices").append(element("p", text));
}

// The link to Python. Until it answers, the words of the default setting would be wrong for any other link.

if (location.search) for (const button of $$("[data-open]")) setText(button, "…");

const { send } = connect({
  query: location.search.slice(1),
  theme: theme(),
  language: root.lang,
  onProgress: showProgress,
  onState: show,
  onReady() {
    bar.classList.add("done");
    document.body.classList.remove("loading");
    nameHandles();
    watchFigures();
  },
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
function nameHandles() {
  for (const host of $$("[data-root]")) {
    const shadow = host.firstElementChild?.shadowRoot;
    const handle = shadow && $(".noUi-handle", shadow);
    if (handle) handle.setAttribute("aria-label", $(".bk-slider-title", shadow)?.textContent.split(":")[0] ?? host.dataset.root);
  }
}

function watchFigures() {
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) send("show", { figure: target.dataset.figure, visible: isIntersecting });
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

document.addEventListener("click", (event) => {
  const target = event.target.closest?.("[data-preset], [data-model], [data-remove], [data-copy]");
  if (!target) return;
  const { preset, model, remove, copy } = target.dataset;
  if (preset && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    history.pushState(null, "", target.getAttribute("href"));
    send("preset", preset);
  } else if (model) {
    send("model", model);
    closeAll();
  } else if (remove) {
    send("remove-drafter", Number(remove));
  } else if (copy) {
    const rows = $$(`[data-table="${copy}"] tr`).map((row) => $$("th, td", row).map((cell) => cell.textContent).join("\t"));
    copyText(target, rows.join("\n"));
  }
});
$("#add-drafter").addEventListener("click", () => send("add-drafter", null));
$("#fixed-length").addEventListener("click", (event) => send("fixed-length", event.target.getAttribute("aria-pressed") !== "true"));
$("#theme").addEventListener("click", () => {
  chosenTheme = THEMES[(THEMES.indexOf(chosenTheme) + 1) % THEMES.length];
  showTheme();
  send("theme", theme());
  writeAddress();
});
$("#copy-link").addEventListener("click", ({ target }) => copyText(target, new URL(address(), location.href).href));
for (const twin of $$("[data-table]")) {
  twin.addEventListener("toggle", () => send("table", { figure: twin.dataset.table, open: twin.open }));
}
addEventListener("popstate", () => send("query", location.search.slice(1)));

// A config.json, pasted, chosen or dropped

async function useFile(file) {
  if (file.size > LARGEST_CONFIG_BYTES) notify(said("file_too_large"));
  else send("config", await file.text());
}

$("#config-use").addEventListener("click", () => {
  send("config", $("#config-text").value);
  closeAll();
});
$("#config-file").addEventListener("change", ({ target }) => {
  if (target.files[0]) useFile(target.files[0]);
  target.value = "";
  closeAll();
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
  if (event.dataTransfer.files[0]) useFile(event.dataTransfer.files[0]);
});
