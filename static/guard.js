/* eslint-disable no-var -- for old browsers */
// Notices where the page's own scripts have not come, are damaged, or belong to another build than the page, and where the
// browser is too old for them; loads the page anew once, then says so. It stands alone, and every build has it at this
// address, so that it comes even where nothing else does. It is written for old browsers, too.
(function () {
  const KEY = "speculation-roofline loaded anew";
  const ENGLISH = {
    trouble_files: "A file of this page did not come whole: what is shown stays as it is, and no change is computed.",
    trouble_browser: "This browser is too old for this page: what is shown stays as it is, and no change is computed.",
    trouble_reload: "Load the page again",
  };
  const root = document.documentElement;
  const isOld =
    typeof Worker === "undefined" ||
    typeof URLSearchParams === "undefined" ||
    typeof matchMedia === "undefined" ||
    typeof CSSStyleSheet === "undefined" ||
    typeof WebAssembly === "undefined" ||
    typeof ResizeObserver === "undefined" ||
    !Array.prototype.at ||
    !Object.hasOwn;

  /**
   * The page's words in the reader's language, as far as the page has them.
   * @param {keyof typeof ENGLISH} key
   */
  function said(key) {
    const asked = /[?&]lang=([a-z]+)/.exec(location.search);
    const language = asked ? asked[1] : navigator.language.slice(0, 2);
    const data = document.getElementById("words-" + language);
    try {
      return JSON.parse((data && data.textContent) || "{}")[key] || ENGLISH[key];
    } catch {
      return ENGLISH[key];
    }
  }

  /** Whether the address asks for another setting than the one that the page's HTML names. */
  function isLink() {
    const query = location.search.replace(/(^\?|&)(theme|lang)=[^&]*/g, "");
    return root.hasAttribute("data-preset") || query.length > 1;
  }

  /** Takes words and drawings away that are the default's where the address asks for something else. */
  function forgetDefault() {
    const words = document.querySelectorAll("[data-open]");
    for (var index = 0; index < words.length; index += 1) words[index].textContent = "…";
    const drawn = document.querySelectorAll(".first-paint, .plot > *");
    for (var place = 0; place < drawn.length; place += 1) drawn[place].remove();
  }

  /** @param {boolean} isHopeless */
  function say(isHopeless) {
    root.setAttribute("data-python", "failed");
    if (isLink()) forgetDefault();
    const notice = document.createElement("p");
    notice.className = "trouble";
    notice.textContent = said(isHopeless ? "trouble_browser" : "trouble_files") + " ";
    if (!isHopeless) {
      const button = document.createElement("button");
      button.textContent = said("trouble_reload");
      button.onclick = function () {
        location.reload();
      };
      notice.appendChild(button);
    }
    (document.querySelector(".notices") || document.body).appendChild(notice);
    const verdict = document.querySelector(".verdict");
    if (verdict) verdict.textContent = said(isHopeless ? "trouble_browser" : "trouble_files");
  }

  /** Whether this address has been loaded anew a moment ago; where nothing can be noted, it is not tried. */
  function hasBeenTried() {
    try {
      const tried = Number(sessionStorage.getItem(KEY));
      sessionStorage.setItem(KEY, String(Date.now()));
      return Date.now() - tried < 60000;
    } catch {
      return true;
    }
  }

  function check() {
    if (root.hasAttribute("data-python")) return;
    if (isOld) say(true);
    else if (hasBeenTried()) say(false);
    else location.reload();
  }
  if (document.readyState === "complete") check();
  else addEventListener("load", check);
})();
