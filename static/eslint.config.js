// What every script of the tree must keep; `build.py check` runs it with the project's folder as its root.

import js from "@eslint/js";
import globals from "globals";

const MARKUP = "Text is set as text: markup from data could run.";
const PROPERTIES = ["innerHTML", "outerHTML", "insertAdjacentHTML", "write", "writeln", "srcdoc"];

const rules = {
  "no-shadow": "error",
  complexity: ["error", 10],
  "max-lines-per-function": ["error", { max: 50, skipBlankLines: true, skipComments: true }],
  "max-lines": ["error", 350],
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-var": "error",
  "prefer-const": "error",
  eqeqeq: "error",
  "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
  "no-restricted-properties": ["error", ...PROPERTIES.map((property) => ({ property, message: MARKUP }))],
};

export default [
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" }, rules },
  {
    files: ["static/*.js", "tests/site/tiny/static/*.js"],
    ignores: ["static/service-worker.js", "static/eslint.config.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["static/worker/*.js", "tests/bench/plain/*.js"],
    languageOptions: { globals: globals.worker },
  },
  {
    files: ["static/service-worker.js"],
    languageOptions: { globals: { ...globals.serviceworker, KEPT: "readonly" } },
  },
  {
    files: ["static/eslint.config.js", "**/*.mjs"],
    languageOptions: { globals: globals.node },
    rules: { "no-restricted-properties": "off" }, // no page is there
  },
  {
    files: ["tests/browser/**/*.mjs"], // functions that a browser runs stand in them
    languageOptions: { globals: globals.browser },
  },
];
