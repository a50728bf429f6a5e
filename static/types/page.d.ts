import type { First } from "./messages";

declare global {
  /** BokehJS, which has no types of its own. */
  // eslint-disable-next-line no-var
  var Bokeh: any;
  // eslint-disable-next-line no-var
  var first: First;

  interface Navigator {
    /** In Chromium only. */
    readonly connection?: { saveData?: boolean; effectiveType?: string };
  }
}
