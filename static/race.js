// The token race: one text in two columns, written at the computed rates. It runs while it can be seen, and stands still
// where the reader wants less motion, until asked to run.

import { $, element, fill, setText } from "./dom.js";
import { said } from "./show.js";

const SPEEDS = [1, 0.3, 0.1];
const figure = $("[data-figure=race]");
const [plainColumn, fastColumn] = ["plain", "speculative"].map((name) => $(`[data-column=${name}]`, figure));
const still = matchMedia("(prefers-reduced-motion: reduce)");
let race = null;
let pieces = [];
let seconds = 0; // of the race
let speed = 1;
let runs = false;
let isSeen = false;
let last = 0; // time of the last frame
let frame = 0;

/** Cuts a text into about as many pieces as it has tokens. */
function cut(text, count) {
  const parts = text.match(/[\u2e80-\uffff]{1,2}|\s*[^\s\u2e80-\uffff]{1,6}/g) ?? [text];
  return Array.from({ length: count }, (_, index) => (index && index % parts.length === 0 ? "\n\n" : "") + parts[index % parts.length]);
}

function tokensOf(bursts, rounds) {
  let tokens = 0;
  for (let round = 0; round < Math.min(rounds, bursts.length); round++) tokens += bursts[round];
  return tokens;
}

function write(column, count) {
  const written = $(".written", column);
  const shown = Math.min(count, race.tokens);
  if (written.count === shown && written.of === pieces) return shown;
  if (written.of !== pieces || shown < written.count) written.replaceChildren();
  const from = written.childNodes.length ? written.count : 0;
  if (shown > from) written.append(element("span", pieces.slice(from, shown).join("")));
  Object.assign(written, { count: shown, of: pieces });
  written.scrollTop = written.scrollHeight;
  setText($(".count", column), `${shown} / ${race.tokens}`);
  return shown;
}

function draw() {
  const plain = write(plainColumn, Math.floor(seconds / race.seconds_per_step + 1e-9));
  const fast = write(fastColumn, tokensOf(race.burst_tokens, Math.floor(seconds / race.seconds_per_round + 1e-9)));
  if (plain >= race.tokens && fast >= race.tokens) setRuns(false);
}

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

function setRuns(wanted) {
  if (wanted && !runs) last = performance.now();
  runs = wanted;
  setText($("#race-run"), said(runs ? "race_pause" : "race_play"));
  schedule();
}

function restart() {
  seconds = 0;
  setRuns(!still.matches);
  // Without motion: the moment in which the faster column is done.
  if (still.matches) seconds = Math.min(race.tokens * race.seconds_per_step, race.burst_tokens.length * race.seconds_per_round, endOfFast());
  draw();
}

function endOfFast() {
  let tokens = 0;
  const rounds = race.burst_tokens.findIndex((burst) => (tokens += burst) >= race.tokens);
  return (rounds + 1 || race.burst_tokens.length) * race.seconds_per_round;
}

/** Shows the race of a state; another race starts anew. */
export function showRace(shown) {
  if (!shown || JSON.stringify(shown) === JSON.stringify(race)) return;
  if (race?.text !== shown.text) pieces = cut(shown.text, shown.tokens);
  race = shown;
  pieces = [...pieces];
  setText($(".lane", plainColumn), shown.plain);
  setText($(".lane", fastColumn), shown.speculative);
  setText($("[data-note=race]"), shown.note);
  restart();
}

/** Lets the race's buttons act. */
export function useRace() {
  fill($("#race-speed"), SPEEDS, (value) => element("option", `${value}×`, { value }));
  $("#race-run").addEventListener("click", () => {
    const isOver = race && endOfFast() <= seconds && race.tokens * race.seconds_per_step <= seconds;
    if (isOver) seconds = 0;
    setRuns(!runs);
  });
  $("#race-again").addEventListener("click", () => {
    if (!race) return;
    seconds = 0;
    draw();
    setRuns(true);
  });
  $("#race-speed").addEventListener("change", ({ target }) => {
    speed = Number(target.value);
  });
  new IntersectionObserver(([entry]) => {
    isSeen = entry.isIntersecting;
    last = performance.now();
    schedule();
  }).observe(figure);
}
