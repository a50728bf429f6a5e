// A worker that is known to have ended as soon as it has: browsers say nothing of it. It holds a lock for as long as it
// lives; where locks are refused, it is asked whether it is there while something is awaited of it.

/** @import { EarlyEvent, FromWorker, RealWorker, ToWorker, WorkerLike } from "./types/messages" */

const ASK_MS = 1000;
const MOST_UNANSWERED = { starting: 120, awaited: 20 }; // Python is deaf while it computes, and for long while it starts

/** @implements {WorkerLike} */
export class WatchedWorker {
  /** @type {WorkerLike["onmessage"]} */
  onmessage = null;

  /** @type {WorkerLike["onerror"]} */
  onerror = null;

  /** @type {(() => void) | null} Told once, where it has ended by itself. */
  onend = null;

  #listening = new AbortController();
  #isOver = false;
  #isLeft = false; // it ends with the page, and begins again where the browser has kept the page
  #isReady = false;
  #owed = 0; // turns without an answer
  #unanswered = 0; // questions

  /**
   * @param {RealWorker} worker
   * @param {EarlyEvent[]} [early] What it has said before anyone listened.
   */
  constructor(worker, early = []) {
    this.worker = worker;
    this.early = early;
    worker.onmessage = (event) => early.push(event);
    worker.onerror = (event) => early.push(event);
    this.timer = setInterval(() => this.#ask(), ASK_MS);
    // A page that is left would keep its Python for as long as a browser keeps the page.
    const { signal } = this.#listening;
    const leave = () => {
      this.#isLeft = true;
      worker.terminate();
    };
    addEventListener("pagehide", leave, { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && this.#end(), { signal });
  }

  /** Listens from the first message on. */
  #listen() {
    this.worker.onmessage = (event) => this.#hear(event);
    this.worker.onerror = (event) => this.onerror?.(event);
    for (const event of this.early.splice(0)) {
      if ("data" in event) this.#hear(event);
      else if (!this.#isOver) this.onerror?.(event);
    }
  }

  /** @param {MessageEvent<FromWorker>} event */
  #hear(event) {
    const { data } = event;
    this.#unanswered = 0;
    if (data.type === "held") this.#watchLock(data.lock);
    else if (data.type === "ready") this.#isReady = true;
    else if (data.type === "turn") this.#owed -= 1;
    if (!this.#isOver) this.onmessage?.(event);
  }

  /** @param {ToWorker} message */
  postMessage(message) {
    if (message.type === "open") this.#listen();
    if (message.type === "turn") this.#owed += 1;
    this.worker.postMessage(message);
  }

  terminate() {
    this.#isOver = true;
    clearInterval(this.timer);
    this.#listening.abort();
    this.worker.terminate();
  }

  #end() {
    if (this.#isOver) return;
    this.terminate();
    this.onend?.();
  }

  /**
   * The lock is this page's once the worker that holds it is no more.
   * @param {string} lock
   */
  #watchLock(lock) {
    clearInterval(this.timer);
    const { signal } = this.#listening;
    navigator.locks.request(lock, { signal }, () => this.#isLeft || this.#end()).catch(() => {});
  }

  #ask() {
    if (this.#isReady && !this.#owed) return;
    if (this.#unanswered >= MOST_UNANSWERED[this.#isReady ? "awaited" : "starting"]) this.#end();
    this.#unanswered += 1;
    if (!this.#isOver) this.worker.postMessage({ type: "ping" });
  }
}
