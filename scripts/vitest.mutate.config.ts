import { defineConfig } from "vitest/config";

const { PLIMSOLL_TESTED_PACKAGES: packages = "" } = process.env;

/** The tests of some packages, for `npm run mutate`, without those that start processes, which would take hours. */
// biome-ignore lint/style/noDefaultExport: vitest takes the default export
export default defineConfig({
  resolve: { conditions: ["plimsoll-source"] },
  ssr: { resolve: { conditions: ["plimsoll-source"], externalConditions: ["plimsoll-source"] } },
  test: {
    include: packages.split(",").map((each) => `${each}/src/**/*.test.ts`),
    exclude: ["**/*.corpus.test.ts", "**/killed-*.test.ts", "**/node_modules/**", "**/dist/**"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
