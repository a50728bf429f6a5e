// A checksum of the snapshot's pages, for the build and for every restore.

/** @import { Sum } from "./types/snapshot" */

const SUMMED_WORDS = 16; // every 64th byte; frames that come carry a checksum of all

/** @type {Sum} */
export const NOTHING = [0, 0];

/**
 * Adds some of the words to a checksum that depends on their order.
 * @param {Sum} sum
 * @param {Int32Array} words A whole number of pages.
 * @returns {Sum}
 */
export function summed([low, high], words) {
  for (let index = 0; index < words.length; index += SUMMED_WORDS) {
    low = (low + words[index]) | 0;
    high = (high + low) | 0;
  }
  return [low, high];
}
