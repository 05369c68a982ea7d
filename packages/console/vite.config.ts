import { defineConfig } from "vite";

/** Builds the console into `dist/web`: one page, with scripts and styles that have hashes in their names, and nothing inline. */
export default defineConfig({
  root: `${import.meta.dirname}/web`,
  base: "/-/console/",
  publicDir: false,
  build: {
    outDir: "../dist/web",
    assetsDir: "",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000, // in kB: Swagger UI, which only the explorer loads
    rolldownOptions: { onwarn: (warning, warn) => warning.code === "MODULE_LEVEL_DIRECTIVE" || warn(warning) },
  },
});
