// The page around the figures: puts its parts to work, and links them to Python.

/** @import { PageState } from "./types/protocol" */

import { absolute, figureAddress, link, restoredQuery, setQuery, writeAddress } from "./address.js";
import { copyText, useButtons } from "./buttons.js";
import { showUse, useUse } from "./commands.js";
import { connect } from "./connection.js";
import { useCrosshair } from "./crosshair.js";
import { embedCode, tellHost, watchHeight } from "./embed-frame.js";
import { takeFile } from "./export.js";
import { placeTools, useTools } from "./figure-tools.js";
import { figuresInSight, watchFigures } from "./figures-in-sight.js";
import { removePosters, showFirstWords } from "./first-words.js";
import { watchForms } from "./forms.js";
import { useSteps } from "./history.js";
import { language, translate } from "./language.js";
import { announce, endLoading, endProgress, notify, showProgress } from "./notices.js";
import { usePopovers } from "./popovers.js";
import { useModelFinder } from "./model-finder.js";
import { present } from "./presentation.js";
import { showRace, useRace } from "./race.js";
import { handle, said, show } from "./render.js";
import { useSliderTouches } from "./slider-touches.js";
import { theme, useTheme } from "./theme.js";
import { showTrouble } from "./trouble.js";
import { useUploads } from "./uploads.js";
import { isEmbed } from "./worker-start.js";

const WATCH_DELAY_MS = 300;
const LONGEST_DRAWING_MS = 20_000; // after which an embed shows what it has
const phone = matchMedia("(max-width: 720px)");

let isLive = false; // whether Python is there
let isWatched = false; // whether it has been told which figures can be seen
/** @type {PageState | null} */
let answer = null; // Python's last state

translate();
placeTools();
present();
if (isEmbed) watchHeight();
showFirstWords();

/**
 * What history and bookmarks call the setting.
 * @param {PageState} state
 */
function titleOf({ presets, preset, words }) {
  const named = presets.find(({ id }) => id === preset)?.title;
  const setting = named ?? [words.model, words.node, `${said("batch_label")} ${words.batch}`].join(", ");
  return `${setting} · ${said("title")}`;
}

/** @param {PageState} state */
function onState(state) {
  answer = state;
  endLoading();
  show(state);
  showUse(state.use);
  showRace(state.race);
  takeFile(state.file).catch((error) => notify(String(error)));
  for (const [figure, { waits, revision }] of Object.entries(state.pending)) {
    if (waits && isLive) send("advance", { figure, revision }); // a piece at a time, so that no change waits long
  }
  setQuery(state.query);
  document.title = titleOf(state);
  announce(state.headline_text);
}

function onReady() {
  endProgress();
  removePosters();
  isLive = true;
  const watch = () => watchFigures(send, () => (isWatched = true));
  setTimeout(watch, isEmbed ? 0 : WATCH_DELAY_MS); // what the reader touches first comes before what nobody sees yet
  if (isEmbed) setTimeout(tellHost, LONGEST_DRAWING_MS, { live: true });
}

/** The figures that can be seen are drawn by now, and may take their poster's place. */
function onIdle() {
  const isWaiting = Object.values(answer?.pending ?? {}).some(({ waits }) => waits);
  if (isEmbed && isWatched && !isWaiting) tellHost({ live: true });
}

/**
 * Sliders' handles carry no name of their own.
 * @param {string} name
 */
function nameHandle(name) {
  const found = handle(name);
  const root = found?.getRootNode();
  const title = root instanceof ShadowRoot ? root.querySelector(".bk-slider-title")?.textContent.split(":")[0] : null;
  found?.setAttribute("aria-label", title ?? name);
}

const { send } = connect({
  query: link,
  theme: theme(),
  language,
  shown: figuresInSight(),
  onProgress: showProgress,
  onState,
  onReady,
  onIdle,
  onDrawn: (name, place) => {
    nameHandle(name);
    useCrosshair(name, place, (...event) => send(...event));
  },
  onError: showTrouble,
});

const tellWidth = () => send("narrow", phone.matches);
if (phone.matches) tellWidth();
phone.addEventListener("change", tellWidth);
useTheme((colours) => {
  send("theme", colours);
  writeAddress();
});
usePopovers();
useSliderTouches();
useModelFinder(send);
useButtons(send, () => answer);
watchForms((change) => send("field", change));
useTools(send, copyText, {
  link: (figure) => absolute(figureAddress(figure)),
  embed: (figure, kind) => {
    const query = figureAddress(figure).slice(1);
    return embedCode(kind, {
      figure,
      site: absolute(""),
      query,
      preset: answer?.preset ?? "",
      headline: answer?.headline_text ?? "",
    });
  },
});
useUse(send, copyText);
useRace(send);
useUploads(send);
useSteps();
addEventListener("popstate", () => send("query", restoredQuery()));
