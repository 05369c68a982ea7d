import { cpSync, rmSync } from "node:fs";
import { defineConfig } from "tsup";
import { bundle } from "./tsup.config.ts";

/**
 * The command is one program: everything it needs is inside, so that it starts at once. Its CommonJS parts get a require. What the
 * package exports is in the other bundle: a program that embeds it shares the classes of the packages with it.
 */
const require =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

const command = bundle("server", "commands", { noExternal: [/.*/], external: ["pg-native"], banner: { js: require } });

/** The programs of threads have to stand beside it: `packages/indexer/src/layer-worker-url.ts`, `packages/server/src/thread-urls.ts`. */
const threads = {
  "layer-worker": "packages/indexer/dist/layer-worker.js",
  "report-thread": "packages/server/src/report-thread.ts",
  "image-thread": "packages/server/src/image-thread.ts",
};

/** And the pages of the console: `packages/console/src/console-files.ts`. */
async function onSuccess(): Promise<void> {
  const beside = "packages/server/dist/console";
  rmSync(beside, { recursive: true, force: true }); // files of earlier builds have other names
  cpSync("packages/console/dist/web", beside, { recursive: true });
}

export default defineConfig({
  ...command,
  entry: { ...(command.entry as Record<string, string>), ...threads },
  onSuccess,
});
