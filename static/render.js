// Python's words on the page: the sentence, the headline, cards, tables, keys. All of them are set as text.

/** @import * as Words from "./types/protocol" */

import { $, $$, $as, element, fill, setText } from "./dom.js";
import { showForm, showLists } from "./forms.js";
import { showModels } from "./model-finder.js";
import { markRefused, showRefused } from "./refused-field.js";

const LONGEST_LINE = 60;
const CONFIG_ADDRESS = /(https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+\/raw\/main\/config\.json)/;

/**
 * The handle of a slider, which stands in a shadow root.
 * @param {string} name
 */
export function handle(name) {
  return $(`[data-root="${name}"]`)?.firstElementChild?.shadowRoot?.querySelector(".noUi-handle");
}

/**
 * What index.html says under a key, in the language of the page.
 * @param {string} key
 */
export function said(key) {
  return ($(`[data-text="${key}"]`, $as(HTMLTemplateElement, "#words").content) ?? $(`[data-text="${key}"]`))
    .textContent;
}

/**
 * A notice, in which the address of a config.json on Hugging Face can be followed: the page itself asks nobody.
 * @param {string} text
 */
function showNotice(text) {
  const notice = element("p");
  const parts = text.split(CONFIG_ADDRESS);
  notice.append(
    ...parts.map((part, index) =>
      index % 2 ? element("a", part, { href: part, rel: "noreferrer", target: "_blank" }) : part,
    ),
  );
  return notice;
}

/** @param {Words.Headline} headline */
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

/**
 * @param {HTMLElement} card
 * @param {Words.DrafterCard} line
 * @param {boolean} isAlone Whether there is no other line.
 */
function showCard(card, line, isAlone) {
  card.style.setProperty("--line-colour", line.colour);
  setText($("[data-card=name]", card), line.name);
  setText($("[data-card=kind]", card), line.kind);
  $(".card-kind", card).title = line.description;
  setText($("[data-card=form-hint]", card), line.hint);
  $("[data-row=acceptance]", card).classList.toggle("typed", line.typed);
  $("[data-row=acceptance]", card).hidden = line.searched;
  $("[data-row=cost]", card).hidden = !line.relative;
  for (const form of $$(".form", card))
    showForm(
      form,
      line.form.filter(({ part }) => part === form.dataset.part),
    );
  $(".design", card).hidden = !line.form.some(({ part }) => part === "design");
  $(".form", card).classList.toggle("mixed", line.mixed);
  $("[data-row=block]", card).hidden = !line.block;
  card.classList.toggle("hidden-line", line.hidden);
  const hide = $("[data-hide]", card);
  hide.setAttribute("aria-pressed", String(line.hidden));
  hide.setAttribute("aria-label", `${said("hide")} ${line.name}`);
  hide.hidden = isAlone;
  const remove = $("[data-remove]", card);
  remove.setAttribute("aria-label", `${said("remove")} ${line.name}`);
  remove.hidden = isAlone;
}

/**
 * @param {Words.DrafterCard[]} drafters
 * @param {number} most
 */
function showCards(drafters, most) {
  for (const card of $$(".card")) {
    const line = drafters[Number(card.dataset.line)];
    card.hidden = !line;
    if (line) showCard(card, line, drafters.length === 1);
  }
  $("#add-drafter").hidden = drafters.length >= most;
}

/**
 * @param {Words.PresetWords[]} presets
 * @param {string} current
 */
function showPresets(presets, current) {
  fill($(".presets"), presets, ({ id, title, query: link }) => {
    const item = element("li");
    const anchor = element("a", title, { href: `?${link}` });
    anchor.dataset.preset = id;
    item.append(anchor);
    return item;
  });
  for (const anchor of $$("[data-preset]")) {
    const isCurrent = anchor.dataset.preset === current;
    const row = $(".presets");
    if (isCurrent && !anchor.ariaCurrent) row.scrollLeft = anchor.offsetLeft - row.offsetLeft - row.clientWidth / 3;
    if (isCurrent) anchor.setAttribute("aria-current", "true");
    else anchor.removeAttribute("aria-current");
  }
  const shown = presets.find((preset) => preset.id === current);
  $(".story").hidden = !shown;
  setText($(".story"), shown?.story ?? "");
}

/**
 * A cell of a table; sentences wrap.
 * @param {string} text
 * @param {string} side
 */
function cell(text, side) {
  return element("td", text, { className: text.length > LONGEST_LINE ? "long" : side });
}

/**
 * The class of each column: most cells of one are words, or numbers.
 * @param {string[]} header
 * @param {string[][]} rows
 */
function sides(header, rows) {
  return header.map((_, column) => {
    const texts = rows.map((cells) => cells[column]).filter(Boolean);
    const words = texts.filter((text) => /^\p{L}|\p{L}{2} \p{L}/u.test(text));
    return words.length * 2 > texts.length ? "words" : "";
  });
}

/** @param {Words.TableWords} table */
function tableOf({ caption, header, rows }) {
  const made = element("table");
  made.append(element("caption", caption));
  const side = sides(header, rows);
  const head = element("tr");
  head.append(...header.map((text, column) => element("th", text, { scope: "col", className: side[column] })));
  made.createTHead().append(head);
  made.createTBody().append(
    ...rows.map((cells) => {
      const row = element("tr");
      const [first, ...others] = cells;
      row.append(element("th", first, { scope: "row" }), ...others.map((text, index) => cell(text, side[index + 1])));
      return row;
    }),
  );
  return made;
}

/**
 * @param {string} name
 * @param {Words.TableWords[]} tables
 */
function showTable(name, tables) {
  fill($(`[data-table="${name}"] .scroll`), tables, tableOf);
}

/**
 * Tables, each in a box of its own.
 * @param {Element} target
 * @param {Words.TableWords[]} tables
 */
function showBoxes(target, tables) {
  fill(target, tables, (table) => {
    const box = element("div", "", { className: "scroll", tabIndex: 0, role: "group" });
    box.setAttribute("aria-label", table.caption);
    box.append(tableOf(table));
    return box;
  });
}

/**
 * The offer to fit a profile to the reader's points, and what the fit leaves.
 * @param {Words.OwnFit} fit
 */
function showFit({ offered, ready, hint, said: sentences, tables }) {
  const button = $as(HTMLButtonElement, "#own-fit");
  button.hidden = !offered;
  button.disabled = !ready;
  setText($("#own-fit-hint"), hint);
  $("#own-profile").hidden = !tables.length;
  fill($("#own-profile .said"), sentences, (text) => element("p", text, { className: "note" }));
  showBoxes($("#own-profile .tables"), tables);
}

/**
 * The reader's files: how each differs from the shown setting, and what it leaves open.
 * @param {Words.OwnFileWords[]} files
 */
function showOwnFiles(files) {
  for (const selector of ["#own-clear", "#own-contribute"]) $(selector).hidden = !files.length;
  fill($("#own-list"), files, ({ name, differences, setting, asked }, index) => {
    const item = element("li", name);
    item.append(...differences.map((text) => element("p", text, { className: "note" })));
    if (setting) {
      const take = element("button", said("own_take") ?? "", { type: "button" });
      take.dataset.take = setting;
      item.append(take);
    }
    if (asked) {
      const label = element("label", `${asked} `, { className: "note" });
      const input = element("input", "", { type: "text", inputMode: "numeric", size: 3, autocomplete: "off" });
      const set = element("button", said("own_drafts_set") ?? "", { type: "button" });
      set.dataset.drafts = String(index);
      label.append(input);
      item.append(label, set);
    }
    return item;
  });
}

/**
 * @param {string} name
 * @param {Words.WorkingLine[]} lines
 */
function showWorking(name, lines) {
  fill($(`[data-working="${name}"] .formulas`), lines, ({ text, source, address }) => {
    const item = element("li");
    item.append(element("code", text));
    if (source) item.append(" ", element("a", source, { href: address, rel: "noreferrer", target: "_blank" }));
    return item;
  });
}

/**
 * @param {string} name
 * @param {Words.KeyEntry[]} entries
 */
function showKey(name, entries) {
  fill($(`[data-key="${name}"]`), entries, ({ colour, words }) => {
    const item = element("li");
    const swatch = element("i");
    swatch.style.background = colour;
    item.append(swatch, words);
    return item;
  });
}

/**
 * A slider's handle knows its step only; what the step stands for is said here.
 * @param {string} slider
 * @param {string} words
 */
function sayValue(slider, words) {
  handle(slider)?.setAttribute("aria-valuetext", words);
}

/**
 * Shows all words of a state.
 * @param {Words.PageState} state
 */
export function show(state) {
  markRefused(state.refused);
  for (const [name, words] of Object.entries(state.words)) setText($(`[data-open="${name}"]`), words);
  showHeadline(state.headline);
  setText($(".verdict"), state.verdict);
  const saidThere = showRefused(state.refused);
  fill($(".notices"), saidThere ? state.notices.slice(1) : state.notices, showNotice);
  showLists(state.lists);
  $(".pinned").hidden = !state.pinned;
  setText($(".pinned span"), state.pinned);
  showCards(state.drafters, state.most_drafters);
  showForm($("[data-form=assumptions]"), state.assumptions);
  showForm($("[data-form=payoff]"), state.payoff);
  showForm($("[data-form=adaptive]"), state.adaptive);
  showForm($("[data-form=nodes]"), state.nodes);
  showForm($("[data-form=requests]"), state.requests);
  showForm($("[data-form=schedule]"), state.schedule);
  setText($(".told"), state.footer);
  setText($("#figures-note"), state.figures_note);
  showPresets(state.presets, state.preset);
  showModels(state.models, state.model);
  for (const [name, table] of Object.entries(state.tables)) {
    const marks = state.mark_tables[name];
    showTable(name, marks ? [table, marks] : [table]);
  }
  showBoxes($("#validation > .tables"), state.validation);
  showFit(state.own_fit);
  showOwnFiles(state.own_files);
  for (const [name, lines] of Object.entries(state.workings)) showWorking(name, lines);
  for (const [name, text] of Object.entries(state.notes)) setText($(`[data-note="${name}"]`), text);
  for (const [name, text] of Object.entries(state.titles)) setText($(`[data-title="${name}"]`), text);
  for (const [name, entries] of Object.entries(state.keys)) showKey(name, entries);
  for (const [id, on] of Object.entries(state.switches)) $(`#${id}`).setAttribute("aria-pressed", String(on));
  sayValue("batch-slider", state.words.batch);
  sayValue("context-slider", state.words.context);
}
