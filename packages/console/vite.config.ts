import { defineConfig, type Plugin } from "vite";

const web = `${import.meta.dirname}/web`;
const runtime = `${web}/shell/jsx-runtime.ts`;

/** Has the elements of the console made by its own runtime, which marks characters that change the direction of text. */
const markedText: Plugin = {
  name: "marked-text",
  enforce: "pre",
  resolveId: (source, importer) =>
    source === "react/jsx-runtime" && importer?.startsWith(web) && importer !== runtime ? runtime : undefined,
};

/** Builds the console into `dist/web`: one page, with scripts and styles that have hashes in their names, and nothing inline. */
export default defineConfig({
  plugins: [markedText],
  root: web,
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
    rolldownOptions: {
      onwarn: (warning, warn) => warning.code === "MODULE_LEVEL_DIRECTIVE" || warn(warning),
      // what nearly all pages share is one file: each file of its own is a request before the first paint
      output: {
        codeSplitting: { groups: [{ name: "shared", test: /\/web\/shared\/(?:answered|section|time|units|fields)/ }] },
      },
    },
  },
});
