// Written by roofline_app/site/script_types.py from roofline_app/page/protocol/: change that.

export type Theme = "light" | "dark";

export type Control = "text" | "area" | "choice" | "search" | "switch" | "button" | "note";

/** The words on the sentence's buttons. */
export interface SentenceWords {
  model: string;
  node: string;
  batch: string;
  context: string;
  precision: string;
  profile: string;
}

/** A fact beside the one big answer. */
export interface Fact {
  label: string;
  value: string;
  was: string;
}

/** The one big answer and its facts. */
export interface Headline {
  big: string;
  words: string;
  facts: Fact[];
}

/** A field with a text that is not used, and why: the first of the notices. */
export interface RefusedField {
  field: string;
  text: string;
}

/** An entry of a menu. */
export interface Option {
  value: string;
  words: string;
}

/** A field of a form that the page builds from data. */
export interface FieldWords {
  key: string;
  control: "text" | "area" | "choice" | "search" | "switch" | "button" | "note";
  label: string;
  value: string;
  options: Option[];
  listed: string;
  hint: string;
  part: string;
}

/** Facts on a drafter's card. */
export interface CardFacts {
  name: string;
  colour: string;
  kind: string;
  description: string;
  typed: boolean;
  searched: boolean;
  mixed: boolean;
  hint: string;
  relative: boolean;
  block: boolean;
}

/** A drafter's card: facts, forms, and whether its line is drawn. */
export interface DrafterCard {
  name: string;
  colour: string;
  kind: string;
  description: string;
  typed: boolean;
  searched: boolean;
  mixed: boolean;
  hint: string;
  relative: boolean;
  block: boolean;
  hidden: boolean;
  form: FieldWords[];
}

/** A preset and its link. */
export interface PresetWords {
  id: string;
  title: string;
  story: string;
  query: string;
}

/** A model to choose from: its place in the list, the words that find it, in lower case, and its size and kind. */
export interface ListedModelWords {
  id: string;
  family: string;
  name: string;
  label: string;
  words: string;
  facts: string;
}

/** A table. */
export interface TableWords {
  caption: string;
  header: string[];
  rows: string[][];
}

/** A line of how a figure is computed. */
export interface WorkingLine {
  text: string;
  source: string;
  address: string;
}

/** An entry of a figure's key. */
export interface KeyEntry {
  colour: string;
  words: string;
}

/** A file for the user, as text. */
export interface GivenFile {
  name: string;
  media: string;
  text: string;
}

/** A file for the user; another number is another file. */
export interface NumberedFile {
  name: string;
  media: string;
  text: string;
  number: number;
}

/** A column of the race; seconds. */
export interface RaceColumnWords {
  name: string;
  rate: string;
  colour: string;
  finished: string;
  bursts: number[];
  pauses: number[];
  computed: string;
  run: number;
}

/** The race. */
export interface RaceWords {
  columns: RaceColumnWords[];
  runs: string[];
  note: string;
  pieces: string[];
  tokens: number;
}

/** A command. */
export interface CommandStep {
  title: string;
  command: string;
}

/** How to serve and to measure the setting on an engine. */
export interface EngineCommands {
  engine: string;
  notes: string[];
  steps: CommandStep[];
  sources: string[];
}

/** The offer to fit a profile to a user's own points, and what the fit leaves. */
export interface OwnFit {
  offered: boolean;
  ready: boolean;
  hint: string;
  said: string[];
  tables: TableWords[];
}

/** A file of the user's measurements; what is empty isn't offered. */
export interface OwnFileWords {
  name: string;
  differences: string[];
  setting: string;
  asked: string;
}

/** A figure's work: pieces that wait to be computed, and of which setting. */
export interface Progress {
  waits: number;
  revision: number;
}

/** What the figures show besides what is drawn, by figure. */
export interface FiguresState {
  tables: Record<string, TableWords>;
  pending: Record<string, Progress>;
  switches: Record<string, boolean>;
  workings: Record<string, WorkingLine[]>;
  mark_tables: Record<string, TableWords>;
  keys: Record<string, KeyEntry[]>;
  notes: Record<string, string>;
  titles: Record<string, string>;
}

/** The tables of predictions beside measurements, and the user's own files. */
export interface BenchmarksState {
  validation: TableWords[];
  own_files: OwnFileWords[];
  own_fit: OwnFit;
}

/** All that the page shows besides the document that BokehJS draws. */
export interface PageState {
  tables: Record<string, TableWords>;
  pending: Record<string, Progress>;
  switches: Record<string, boolean>;
  workings: Record<string, WorkingLine[]>;
  mark_tables: Record<string, TableWords>;
  keys: Record<string, KeyEntry[]>;
  notes: Record<string, string>;
  titles: Record<string, string>;
  validation: TableWords[];
  own_files: OwnFileWords[];
  own_fit: OwnFit;
  query: string;
  pinned: string;
  language: string;
  theme: string;
  words: SentenceWords;
  headline: Headline;
  headline_text: string;
  verdict: string;
  notices: string[];
  refused: RefusedField | null;
  drafters: DrafterCard[];
  lists: Record<string, string[]>;
  assumptions: FieldWords[];
  payoff: FieldWords[];
  nodes: FieldWords[];
  schedule: FieldWords[];
  requests: FieldWords[];
  adaptive: FieldWords[];
  footer: string;
  figures_note: string;
  most_drafters: number;
  presets: PresetWords[];
  preset: string;
  models: ListedModelWords[];
  model: string;
  file: NumberedFile | null;
  race: RaceWords | null;
  use: EngineCommands | null;
}

/** A file of the user's; its content in base64. */
export interface OwnFile {
  name: string;
  content: string;
}

/** The draft length of the runs of one of the user's files that do not state theirs. */
export interface DraftLength {
  file: number;
  drafts: string;
}

/** A field of a form that has been changed. */
export interface FieldChange {
  form: string;
  field: string;
  value: string;
}

/** A drafter's line, and whether it is to be hidden. */
export interface HiddenLine {
  line: number;
  hidden: boolean;
}

/** A figure, and whether it can be seen. */
export interface ShownFigure {
  figure: string;
  visible: boolean;
}

/** A figure whose table or working is opened or closed. */
export interface OpenedPart {
  figure: string;
  open: boolean;
}

/** A file that is asked for. */
export interface FileWish {
  figure: string;
  kind: string;
}

/** What a column of the race is to show: a run of the user's own, or what is computed (-1). */
export interface RaceChoice {
  column: number;
  run: number;
}

/** A place of a figure whose setting is to be taken, as values of its axes. */
export interface ChosenPlace {
  figure: string;
  x: number;
  y: number;
}

/** A piece of a figure's work that is to be done next, and of which setting. */
export interface WorkPiece {
  figure: string;
  revision: number;
}

/** A figure's switch, and whether it is on. */
export interface SwitchChange {
  name: string;
  on: boolean;
}

/** What the page sends with each event, by its name. */
export interface Events {
  "warm-up": null;
  preset: string;
  query: string;
  model: string;
  config: string;
  files: OwnFile[];
  "clear-points": null;
  "fit-points": null;
  "draft-length": DraftLength;
  contribute: null;
  theme: "light" | "dark";
  narrow: boolean;
  "add-drafter": null;
  "remove-drafter": number;
  switch: SwitchChange;
  hide: HiddenLine;
  field: FieldChange;
  show: ShownFigure;
  "on-screen": string[];
  table: OpenedPart;
  working: OpenedPart;
  pin: boolean;
  swap: null;
  save: FileWish;
  use: string;
  choose: ChosenPlace;
  advance: WorkPiece;
  validation: boolean;
  race: RaceChoice;
}

/** What BokehJS draws first: the document's JSON, the ids of its roots by name, and the state. */
export interface Opening {
  documents: Record<string, unknown>;
  roots: Record<string, string>;
  state: PageState;
}

/** Bytes of a frame of the snapshot, and of its content. */
export interface Frame {
  packed: number;
  bytes: number;
}

/** Where the snapshot's pages belong, and how their pointers are written.

    Of each run there are two numbers in `runs`, its first page and the number of its pages; `alike` are words of the
    pages that only look like distances.
     */
export interface PagesLayout {
  runs: number[];
  pageBytes: number;
  alike: number[];
}

/** A side module: its path in the interpreter's file system, and its address. */
export interface Library {
  path: string;
  file: string;
}

/** Addresses of a snapshot's files. */
export interface SnapshotFiles {
  settings: string;
  pages: string;
  frames: Frame[];
  layout: PagesLayout;
  decoder: string;
  libraries: Library[];
}

/** What the build has prepared in a language; openings are addresses by theme. */
export interface Prepared {
  language: string;
  openings: Record<string, string>;
  snapshot: SnapshotFiles;
}

/** What the scripts of a built site must know; addresses are relative to the page. */
export interface SiteManifest {
  interpreter: string;
  worker: string;
  panel: string;
  sitePackages: string;
  lock: Record<string, unknown>;
  library: string;
  packages: string;
  application: string;
  bytes: Record<string, number>;
  prepared: Record<string, Prepared>;
  offline?: string;
}

/** The session of a page on a Panel server, and the channel of its messages. */
export interface ServerSession {
  token: string;
  channel: string;
  state: PageState;
}

/** What the scripts of a page on a Panel server must know. */
export interface ServerManifest {
  session: ServerSession;
}

/** A language that the page speaks. */
export interface LanguageFacts {
  tag: string;
  name: string;
}

/** What every page's scripts must know: BokehJS's addresses, the languages, and the largest file that is read. */
export interface CommonManifest {
  scripts: string[];
  languages: Record<string, LanguageFacts>;
  largestFileBytes: number;
}
