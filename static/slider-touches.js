// Sliders under a finger: a vertical swipe that begins on one scrolls the page, a horizontal one sets the value.
// The widgets' slider takes the first touch for a choice; it is told of it once the finger has gone sideways. A tap sets
// the value as a click does.

const SLIDER = ".noUi-target";
const LEAST_PX = 6;

/** @typedef {{target: EventTarget, touch: Touch}} Begun */

/** Lets a finger scroll over the sliders. */
export function useSliderTouches() {
  /** @type {Begun | null} */
  let begun = null;
  addEventListener(
    "touchstart",
    (event) => {
      const [target] = event.composedPath();
      const isOnSlider = event.composedPath().some((part) => part instanceof Element && part.matches(SLIDER));
      if (!event.isTrusted || !isOnSlider || event.touches.length > 1) {
        if (event.isTrusted) begun = null;
        return;
      }
      begun = { target, touch: event.changedTouches[0] };
      event.stopImmediatePropagation();
    },
    { capture: true, passive: true },
  );
  addEventListener(
    "touchmove",
    (event) => {
      if (!begun) return;
      const { target, touch } = begun;
      const now = [...event.changedTouches].find(({ identifier }) => identifier === touch.identifier);
      if (!now) return;
      const [sideways, down] = [Math.abs(now.clientX - touch.clientX), Math.abs(now.clientY - touch.clientY)];
      if (Math.max(sideways, down) < LEAST_PX) return;
      begun = null;
      if (down > sideways) return;
      const { clientX, clientY } = touch;
      const options = { bubbles: true, composed: true, cancelable: true, buttons: 1 };
      target.dispatchEvent(new MouseEvent("mousedown", { ...options, clientX, clientY })); // it follows the finger from here
    },
    { capture: true, passive: true },
  );
  for (const name of ["touchend", "touchcancel"]) addEventListener(name, () => (begun = null), { capture: true });
}
