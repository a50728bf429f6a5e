// <speculation-roofline query="…">: a live figure in any page. It is as high as what it shows, starts when it is scrolled
// into view, and shows its poster until it is live. The page's own styles do not reach it, nor its own the page.
{
  const base = new URL(".", /** @type {HTMLScriptElement} */ (document.currentScript).src);
  const CHANNEL = "speculation-roofline";
  const NEAR = "300px";
  const PRESENTATION = new Set(["figure", "figures", "controls", "theme", "lang"]);
  const ATTRIBUTES = ["query", "figure", "controls", "theme", "lang"];
  const STYLE = `
    :host { all: initial !important; display: block !important; position: relative !important; width: 100% !important; min-width: 0 !important; }
    iframe { display: block; width: 100%; border: 0; height: 0; visibility: hidden; color-scheme: normal; }
    .live iframe { visibility: visible; }
    .still { display: grid; place-items: center; min-height: 120px; aspect-ratio: 720 / 378; box-sizing: border-box;
      border: 1px solid rgb(128 128 128 / .35); border-radius: 6px; font: 13px/1.5 system-ui, sans-serif; color: #767676; overflow: hidden; }
    .still img { display: block; width: 100%; height: 100%; object-fit: contain; }
    .starting iframe { position: absolute; inset: 0; }
    .live .still { display: none; }`;
  const sheet = new CSSStyleSheet(); // the host's policy may forbid style elements
  sheet.replaceSync(STYLE);

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  /** @param {string | null} theme */
  const isDark = (theme) =>
    theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);

  /**
   * A poster's address; pictures do not know what their reader wants, so that one without motion is asked for here.
   * @param {URL} address
   */
  function stilled(address) {
    if (still.matches && !address.hash) address.hash = "still";
    return address.href;
  }

  /**
   * What a picture's name says of its language: nothing of English.
   * @param {string} language
   */
  function suffixOf(language) {
    const [key] = language.toLowerCase().match(/^[a-z]+/) ?? ["en"];
    return key === "en" ? "" : `-${key}`;
  }

  /**
   * Names of the pictures of a query: in its language and in English; none where it is more than one figure of a preset.
   * @param {URLSearchParams} asked
   */
  function posters(asked) {
    const preset = asked.get("preset");
    const others = [...asked.keys()].filter((key) => key !== "preset" && !PRESENTATION.has(key));
    const figures = [...asked.getAll("figures"), ...asked.getAll("figure")].join(",").split(",").filter(Boolean);
    if (!preset || !/^[\w.-]+$/.test(preset) || others.length || figures.length > 1) return [];
    const suffixes = [...new Set([suffixOf(asked.get("lang") ?? ""), ""])];
    const stem = `posters/${preset}-${figures[0] ?? "speedup"}-${isDark(asked.get("theme")) ? "dark" : "light"}`;
    return suffixes.map((suffix) => `${stem}${suffix}.svg`);
  }

  class SpeculationRoofline extends HTMLElement {
    static observedAttributes = ATTRIBUTES;
    #shadow = this.attachShadow({ mode: "open" });
    /** @type {IntersectionObserver | null} */
    #watcher = null;
    /** @type {HTMLIFrameElement | null} */
    #frame = null;
    #heard = (/** @type {MessageEvent} */ event) => this.#hear(event);

    constructor() {
      super();
      this.#shadow.adoptedStyleSheets = [sheet];
    }

    connectedCallback() {
      addEventListener("message", this.#heard);
      this.#rest();
    }

    disconnectedCallback() {
      removeEventListener("message", this.#heard);
      this.#watcher?.disconnect();
      this.#frame = null;
      this.#shadow.replaceChildren();
    }

    /**
     * @param {string} _name
     * @param {string | null} before
     * @param {string | null} now
     */
    attributeChangedCallback(_name, before, now) {
      if (this.isConnected && before !== now) this.#rest();
    }

    /** The setting and how it is shown, as one query. */
    get #query() {
      const asked = new URLSearchParams(this.getAttribute("query")?.replace(/^\?/, "") ?? "");
      for (const name of ATTRIBUTES.slice(1)) {
        const value = this.getAttribute(name);
        if (value !== null) asked.set(name, value);
      }
      return asked;
    }

    /** Posters of exactly this setting, in its language and in English, or none: never another setting's. */
    get #posters() {
      const given = this.getAttribute("poster");
      const theme = isDark(this.#query.get("theme")) ? "dark" : "light";
      if (given !== null) return [stilled(new URL(given.replace("{theme}", theme), document.baseURI))];
      return posters(this.#query).map((name) => stilled(new URL(name, base)));
    }

    /** Shows the poster, or a neutral frame, until the element comes into view. */
    #rest() {
      const box = document.createElement("div");
      const resting = document.createElement("div");
      resting.className = "still";
      const [address, ...others] = this.#posters;
      if (address) {
        const picture = document.createElement("img");
        picture.alt = this.getAttribute("alt") ?? "";
        picture.decoding = "async";
        picture.addEventListener("error", () => {
          const next = others.shift();
          if (next) picture.src = next;
          else picture.remove();
        });
        picture.src = address;
        resting.append(picture);
      }
      box.append(resting);
      this.#frame = null;
      this.#shadow.replaceChildren(box);
      this.#watcher?.disconnect();
      const starting = (/** @type {IntersectionObserverEntry[]} */ entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) this.#start(box);
      };
      this.#watcher = new IntersectionObserver(starting, { rootMargin: NEAR });
      this.#watcher.observe(this);
    }

    /** @param {HTMLElement} box */
    #start(box) {
      this.#watcher?.disconnect();
      const frame = document.createElement("iframe");
      frame.name = CHANNEL;
      frame.title = this.getAttribute("title") ?? "Speculation roofline";
      frame.setAttribute("scrolling", "no");
      frame.allow = "clipboard-write";
      const sandbox = this.getAttribute("sandbox");
      if (sandbox !== null) frame.setAttribute("sandbox", sandbox);
      frame.src = new URL(`embed.html?${this.#query}`, base).href;
      box.className = "starting";
      box.append(frame);
      this.#frame = frame;
    }

    /** @param {MessageEvent} event */
    #hear({ source, data }) {
      const frame = this.#frame;
      if (!frame || source !== frame.contentWindow || data?.from !== CHANNEL) return;
      if (Number.isFinite(data.height) && data.height > 0) frame.style.height = `${Math.ceil(data.height)}px`;
      const box = frame.parentElement;
      if (!data.live || !box || box.className === "live") return;
      box.className = "live";
      this.dispatchEvent(new CustomEvent("live"));
    }
  }

  if (!customElements.get(CHANNEL)) customElements.define(CHANNEL, SpeculationRoofline);
}
