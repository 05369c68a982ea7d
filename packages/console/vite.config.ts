import { defineConfig } from "vite";

/** The pages of the console, built into `dist/web`: one page, scripts and styles with hashes in their names, nothing inline. */
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
