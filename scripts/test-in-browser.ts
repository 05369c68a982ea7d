/**
 * Builds the console, then runs these tests in Chromium: those of the engine (in worker threads as well), of the example that scans in a
 * page, of the HTML report and of the console.
 *
 *     npm run test:browser [-- ARGUMENTS OF VITEST]
 *
 * Without Chromium it prints that nothing was run; with PLIMSOLL_TEST_BROWSER=required it then fails. Where PLIMSOLL_TEST_COMMAND names a
 * built command, the console is built already, and other tests may be using it.
 */
import { spawnSync } from "node:child_process";
import { findChromium } from "./find-chromium.ts";

const chromium = findChromium();
if (chromium === undefined) {
  console.log(
    "SKIPPED: there is no Chromium in the PATH; install one (apt-get install chromium-headless-shell) or name it in PLIMSOLL_TEST_CHROMIUM",
  );
  process.exitCode = process.env.PLIMSOLL_TEST_BROWSER === "required" ? 1 : 0;
} else {
  if (!process.env.PLIMSOLL_TEST_COMMAND) spawnSync("npm", ["run", "--silent", "build:console"], { stdio: "inherit" });
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.browser.config.ts"];
  const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
