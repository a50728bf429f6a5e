// The token race: one text in two columns, each written in bursts after pauses. It runs while half of it can be seen, and
// stands still where the reader wants less motion, until asked to run.

/** @import { RaceColumnWords, RaceWords } from "./types/protocol" */
/** @import { Send } from "./types/messages" */
/** @typedef {{element: HTMLElement, times: number[], finished: string, shown: number}} Lane Times: when each token is there. */

import { $, $$, $as, element, fill, setText } from "./dom.js";
import { said } from "./render.js";

const SPEEDS = [1, 0.3, 0.1];
const figure = $("[data-figure=race]");
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {(RaceWords & {timing: string}) | null} */
let race = null;
/** @type {Lane[]} */
let lanes = [];
let seconds = 0; // of the race
let speed = 1;
let runs = false;
let isSeen = false;
let last = 0; // time of the last frame
let frame = 0;

/**
 * When each token of a column is there; those of a burst share their time.
 * @param {RaceColumnWords} column
 * @param {number} tokens
 */
function timesOf({ bursts, pauses }, tokens) {
  /** @type {number[]} */
  const times = [];
  let now = 0;
  bursts.forEach((burst, index) => {
    now += pauses.length === 1 ? pauses[0] : pauses[index];
    for (let token = 0; token < burst && times.length < tokens; token++) times.push(now);
  });
  return times;
}

/**
 * The text from a token to another; it starts again, in a paragraph of its own, where it ends.
 * @param {number} from
 * @param {number} to
 */
function text(from, to) {
  const pieces = race?.pieces ?? [];
  let written = "";
  for (let index = from; index < to; index++) {
    const place = index % pieces.length;
    written += (index && place === 0 ? "\n\n" : "") + pieces[place];
  }
  return written;
}

/**
 * How many tokens are there at this moment.
 * @param {number[]} times
 */
function reached(times) {
  const after = times.findIndex((time) => time > seconds * (1 + 1e-9));
  return after < 0 ? times.length : after;
}

/**
 * Writes a lane as far as it has come; returns whether it is done.
 * @param {Lane} lane
 */
function write(lane) {
  const { element: place, times, finished } = lane;
  const written = $(".written", place);
  const shown = reached(times);
  if (shown < lane.shown) {
    written.replaceChildren();
    lane.shown = 0;
  }
  if (shown > lane.shown) written.append(element("span", text(lane.shown, shown)));
  lane.shown = shown;
  written.scrollTop = written.scrollHeight;
  const isDone = shown === times.length;
  setText($(".count", place), isDone ? finished : `${shown} / ${times.length}`);
  return isDone;
}

function draw() {
  const done = lanes.map(write);
  if (done.every(Boolean)) setRuns(false);
}

/** @param {Lane} lane */
const endOf = ({ times }) => times.at(-1) ?? 0;

/** @param {number} now */
function tick(now) {
  frame = 0;
  if (!runs || !isSeen) return;
  seconds += ((now - last) / 1000) * speed;
  last = now;
  draw();
  schedule();
}

function schedule() {
  if (runs && isSeen && race) frame ||= requestAnimationFrame(tick);
}

/** @param {boolean} wanted */
function setRuns(wanted) {
  if (wanted && !runs) last = performance.now();
  runs = wanted;
  setText($("#race-run"), said(runs ? "race_pause" : "race_play"));
  schedule();
}

function restart() {
  for (const lane of lanes) {
    $(".written", lane.element).replaceChildren();
    lane.shown = 0;
  }
  // Without motion: the moment in which the faster column is done.
  seconds = still.matches ? Math.min(...lanes.map(endOf)) : 0;
  setRuns(!still.matches);
  draw();
}

/**
 * Says who writes in a lane, and how fast; offers the reader's own runs where there are any.
 * @param {HTMLElement} lane
 * @param {RaceColumnWords} column
 * @param {string[]} offered
 */
function head(lane, { name, rate, colour, computed, run }, offered) {
  const choice = $as(HTMLSelectElement, ".lane-choice", lane);
  choice.hidden = !offered.length;
  $(".lane", lane).hidden = !choice.hidden;
  setText($(".lane", lane), name);
  fill(choice, [computed, ...offered], (words) => element("option", words));
  choice.selectedIndex = run + 1;
  setText($(".rate", lane), rate);
  $(".rate", lane).style.color = colour;
}

/**
 * Shows the race of a state; another race starts anew.
 * @param {RaceWords | null} shown
 */
export function showRace(shown) {
  if (!shown) return;
  const places = $$(".race > *", figure);
  shown.columns.forEach((column, index) => head(places[index], column, shown.runs));
  setText($("[data-note=race]"), shown.note);
  const timing = JSON.stringify(shown.columns.map(({ bursts, pauses }) => [bursts, pauses]));
  if (race?.timing === timing && race.tokens === shown.tokens) return;
  race = { ...shown, timing };
  lanes = shown.columns.map((column, index) => {
    return { element: places[index], times: timesOf(column, shown.tokens), finished: column.finished, shown: 0 };
  });
  restart();
}

/**
 * Lets the race's buttons act.
 * @param {Send} send
 */
export function useRace(send) {
  for (const choice of figure.querySelectorAll("select")) {
    const { lane } = choice.dataset;
    if (lane)
      choice.addEventListener("change", () => send("race", { column: Number(lane), run: choice.selectedIndex - 1 }));
  }
  const speeds = $as(HTMLSelectElement, "#race-speed");
  fill(speeds, SPEEDS, (value) => element("option", `${value}×`, { value }));
  $("#race-run").addEventListener("click", () => {
    if (lanes.every((lane) => endOf(lane) <= seconds)) seconds = 0;
    setRuns(!runs);
  });
  $("#race-again").addEventListener("click", () => {
    if (!race) return;
    seconds = 0;
    draw();
    setRuns(true);
  });
  speeds.addEventListener("change", () => {
    speed = Number(speeds.value);
  });
  const watch = (/** @type {IntersectionObserverEntry[]} */ [entry]) => {
    isSeen = entry.isIntersecting;
    last = performance.now();
    schedule();
  };
  new IntersectionObserver(watch, { threshold: 0.5 }).observe($(".race", figure));
}
