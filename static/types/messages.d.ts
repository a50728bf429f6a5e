// What the page's scripts tell each other: the page and its worker, and what early.js leaves for the modules after it.

import type {
  CommonManifest,
  Events,
  LanguageFacts,
  PageState,
  Prepared,
  ServerSession,
  SiteManifest,
  Theme,
} from "./protocol";

/** The manifest as early.js hands it on: of what is prepared, the page's language alone. A page on a server has a session. */
export interface Build extends Omit<SiteManifest, "prepared">, Prepared, Omit<CommonManifest, "languages"> {
  inlined?: boolean;
  session?: ServerSession;
}

/** Starts a worker's Python; the single file's has its files in the message, in base64 by name. */
export interface StartMessage {
  type: "start";
  base: string;
  build: Build;
  plain: boolean;
  files?: Record<string, string> | false;
  session?: string;
}

/** Opens a page; `again` where its Python has been another before, `session` where several pages share one. */
export interface OpenMessage {
  type: "open";
  query: string;
  theme: Theme;
  language: string;
  shown?: string[];
  again?: boolean;
  session?: string;
}

/** What the user did since the last turn: a patch of BokehJS's and events, as JSON; either may be empty. */
export interface TurnMessage {
  type: "turn";
  patch: string;
  events: string;
  session?: string;
}

/** A page that is closed. */
export interface LeaveMessage {
  type: "leave";
  session?: string;
}

/** Asks whether the worker is there: it says that it has begun. */
export interface PingMessage {
  type: "ping";
  session?: string;
}

export type ToWorker = StartMessage | OpenMessage | TurnMessage | LeaveMessage | PingMessage;

/** What a turn changed: a patch, where its buffers lie in `bytes` ([id, offset, length] as JSON), and the state's JSON. */
export interface Change {
  text: string;
  table: string;
  bytes: Uint8Array<ArrayBuffer>;
  state: string | null;
}

/** Why something failed, for which the page has a sentence each. */
export type Cause = "files" | "engine" | "memory" | "start" | "ended" | "change";

export type Answers = {
  begun: object;
  held: { lock: string };
  lost: object;
  progress: { stage: string; done: number; total: number };
  document: { document: string };
  ready: { route: string };
  turn: { messages: Change[]; milliseconds?: number; heapBytes?: number };
  patch: Change;
  stored: { place: string };
  refused: { text: string };
  error: { text: string; fatal: boolean; cause?: Cause };
};

/** What a worker says; with the session that it concerns, where several pages share it. */
export type FromWorker = { [Name in keyof Answers]: { type: Name; session?: string } & Answers[Name] }[keyof Answers];

/** What a page needs of a browser's worker. */
export interface RealWorker {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

/** Where a worker's messages go: one of the page's own, which tells of its end, or a seat at a shared one. */
export interface WorkerLike extends RealWorker {
  onend: (() => void) | null;
}

/** What a worker said before anyone listened. */
export type EarlyEvent = MessageEvent<FromWorker> | ErrorEvent;

/** What early.js leaves. */
export interface First {
  build: Build;
  languages: Record<string, LanguageFacts>;
  language: string;
  waits: boolean;
  worker: RealWorker | null;
  early: EarlyEvent[];
  scripts: Promise<unknown>;
}

/** Tells Python of what the user does outside of the document's widgets. */
export type Send = <Name extends keyof Events>(name: Name, value: Events[Name]) => unknown;

/** What a page tells the connection, and what it is told. */
export interface PageLink {
  query: string;
  theme: Theme;
  language: string;
  shown?: string[];
  onProgress(stage: string, done: number, total: number): void;
  onState(state: PageState): void;
  onReady(): void;
  onError(problem: { cause: Cause; detail: string; fatal: boolean }): void;
  onDrawn?(name: string, element: Element): void;
  onIdle?(): void;
}
