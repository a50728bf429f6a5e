// The address: the setting's query, with the theme and the language that were chosen.

import { $as } from "./dom.js";
import { asked, switchLink } from "./language.js";
import { noteChange, restoredStep, writeStep } from "./history.js";
import { whole } from "./presentation.js";
import { chosenTheme } from "./theme.js";
import { home, isEmbed } from "./worker-start.js";

const PAUSE_MS = 250;
const OWN = /(^|&)(theme|lang)=[^&]*/g; // what of an address is no part of the setting

const { preset } = document.documentElement.dataset; // a page of its own for each preset
/** The query of the page's own preset, or empty. */
export const ownPreset = preset ? `preset=${preset}` : "";

let query = [ownPreset, location.search.slice(1)].filter(Boolean).join("&");
let timer = 0;

/** The setting that the address asks for. */
export const link = query.replace(OWN, "").replace(/^&/, "");

/**
 * The address of a setting, relative to the page.
 * @param {string} [language] Empty for the reader's own.
 * @param {string} [shown] The setting's query; without it, the one that is shown.
 */
export function address(language = asked, shown = query) {
  const own = new URLSearchParams();
  if (chosenTheme()) own.set("theme", chosenTheme());
  if (language) own.set("lang", language);
  return `?${[shown.replace(OWN, ""), String(own)].filter(Boolean).join("&")}`;
}

/** @param {string} relative */
export const absolute = (relative) => new URL(`${home}${relative}`, document.baseURI).href;

/** The address of the setting alone, whatever figures and controls are shown. */
export const wholeAddress = () => address(asked, whole(query));

/**
 * The address of one figure alone.
 * @param {string} figure
 */
export const figureAddress = (figure) => address(asked, `${whole(query)}&figure=${figure}`);

/** Writes the setting into the address bar and the links that lead to it, a moment later: it changes often. */
export function writeAddress() {
  timer ||= setTimeout(() => {
    timer = 0;
    switchLink(address); // the other language's page opens what this address asks for
    $as(HTMLAnchorElement, "#whole a").href = `${home}${wholeAddress()}`;
    if (!isEmbed) writeStep(address(), query);
  }, PAUSE_MS);
}

/**
 * Takes the query of the setting that is shown.
 * @param {string} shown
 */
export function setQuery(shown) {
  noteChange(shown);
  query = shown;
  writeAddress();
}

/** The query of the address that the reader has gone back or on to. */
export function restoredQuery() {
  clearTimeout(timer);
  timer = 0;
  return (
    restoredStep() ?? [ownPreset, location.search.slice(1)].filter(Boolean).join("&").replace(OWN, "").replace(/^&/, "")
  );
}

switchLink(address);
