import { defineConfig } from "vitest/config";

/** The tests of one package, for `npm run mutate`, without those that start processes, which would take hours. */
// biome-ignore lint/style/noDefaultExport: vitest takes the default export
export default defineConfig({
  resolve: { conditions: ["plimsoll-source"] },
  ssr: { resolve: { conditions: ["plimsoll-source"], externalConditions: ["plimsoll-source"] } },
  test: {
    include: [`${process.env.PLIMSOLL_MUTATED_PACKAGE}/src/**/*.test.ts`],
    exclude: ["**/*.corpus.test.ts", "**/killed-*.test.ts", "**/node_modules/**", "**/dist/**"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
