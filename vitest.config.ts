import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./tests/support/long-first.ts";

/** Sources, but for what tests start in threads and processes of its own. */
const sourceFirst = {
  resolve: {
    conditions: ["plimsoll-source"],
    alias: [
      {
        find: /^.*\/layer-worker-url\.ts$/,
        replacement: `${import.meta.dirname}/tests/support/layer-worker-bundle.ts`,
      },
    ],
  },
  ssr: { resolve: { conditions: ["plimsoll-source"], externalConditions: ["plimsoll-source"] } },
};

const globalSetup = ["tests/support/own-home.ts", "tests/support/bundle-programs.ts"];

/** `unit` needs nothing but the clone; `corpus` needs the shared corpus and the tools of `.ci/run`. */
export default defineConfig({
  ...sourceFirst,
  test: {
    // One more than there are cores, since some tests wait.
    maxWorkers: availableParallelism() + 1,
    // What was transformed is kept in node_modules, so that the next run need not.
    fsModuleCache: true,
    sequence: { sequencer: LongFirst },
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // Whole titles: `.ci/run` finds each test again in another run by its name.
    taskTitleValueFormatTruncate: 0,
    // And whole values: a failure is looked into by its message.
    chaiConfig: { truncateThreshold: 0 },
    projects: [
      {
        ...sourceFirst,
        test: {
          name: "unit",
          globalSetup,
          include: [
            "packages/*/src/**/*.test.ts",
            "packages/console/web/**/*.test.ts",
            "tests/**/*.test.ts",
            "scripts/**/*.test.ts",
          ],
          exclude: ["**/*.corpus.test.ts", "**/*.browser.test.ts", "**/node_modules/**", "**/dist/**"],
          // For what hangs only: on a machine that is busy with other work, the longest tests take a minute.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Modules keep no state, so files share their workers: each would else load everything anew.
          isolate: false,
        },
      },
      {
        ...sourceFirst,
        test: {
          name: "corpus",
          globalSetup,
          include: ["packages/*/src/**/*.corpus.test.ts", "tests/**/*.corpus.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
