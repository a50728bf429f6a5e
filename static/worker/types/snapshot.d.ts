// What the build keeps of an interpreter's memory: roofline_app/site/snapshot/take.mjs writes it, snapshot-restore.js reads it.

import type { PagesLayout } from "../../types/protocol";

/** `snapshot.json`. */
export interface SnapshotSettings {
  settings: unknown;
  heapBytes: number;
  /** Address of the first link of the garbage collector's ring of what stays. */
  ring: number;
  /** Checksum of some of the pages' words. */
  sum: Sum;
  /** Lengths of the function table before the first library and after each. */
  tables: number[];
  /** Names of loaded libraries by handle. */
  handles: Record<string, string>;
  /** Texts of files by path. */
  files: Record<string, string>;
}

export type Sum = [low: number, high: number];

/** The snapshot's pages, wherever they come from. */
export interface Pages {
  /** Bytes. */
  size: number;
  origin: "network" | "files" | "cache";
  /** Copies the bytes from a position on. */
  copy(target: Uint8Array, at: number): void;
  /** All of them, where they are in memory and not stored yet. */
  parts(): Uint8Array<ArrayBuffer>[] | null;
  close?(): void;
}

/** Where the pages are fetched from, and how they are packed. */
export interface PagesJob {
  pages: string;
  decoder: string;
  frames: { packed: number; bytes: number }[];
  layout: PagesLayout;
}

/** What the thread that fetches them says. */
export type PagesAnswer = { part: Uint8Array<ArrayBuffer> } | { failure: string } | { done: true };
