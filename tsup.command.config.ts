import { defineConfig } from "tsup";
import { bundle } from "./tsup.config.ts";

/** The command is one program: everything it needs is inside, so that it starts at once. Its CommonJS parts get a require. */
const require =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

export default defineConfig(bundle("server", { noExternal: [/.*/], external: ["pg-native"], banner: { js: require } }));
