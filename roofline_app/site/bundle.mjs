// Bundles and minifies scripts with esbuild.
// node bundle.mjs ESBUILD_FOLDER JOB_JSON, a list of esbuild's options for each run; what is wrong with a script is printed
// with file, line and the words at fault.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [, , folder, jobs] = process.argv;
const esbuild = createRequire(import.meta.url)(path.resolve(folder, "lib", "main.js"));
try {
  for (const options of JSON.parse(fs.readFileSync(jobs, "utf8"))) await esbuild.build(options);
} catch {
  process.exitCode = 1; // esbuild has said what is wrong
} finally {
  await esbuild.stop();
}
