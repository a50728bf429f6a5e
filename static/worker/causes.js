// Why a start has failed, for which the page has a sentence each.

/** @import { Cause } from "../types/messages" */

const REFUSED =
  /unsafe-eval|content security policy|disallowed by embedder|blocked by csp|refused to (compile|create)/i;
const MEMORY = /out of memory|memoryerror|could not allocate|cannot allocate|allocation failed/i;
const FILES = /fetch|load|import|network|: [45]\d\d|damaged|magic word|module script/i;

/**
 * @param {unknown} error
 * @returns {Cause}
 */
export function causeOf(error) {
  const text = String(error);
  if (typeof WebAssembly === "undefined" || REFUSED.test(text)) return "engine";
  if (error instanceof RangeError || MEMORY.test(text)) return "memory";
  if (error instanceof SyntaxError || error instanceof WebAssembly.CompileError) return "files";
  return FILES.test(text) ? "files" : "start";
}
