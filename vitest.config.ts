import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// What Node has compiled once is there for every thread and program that a test starts: they start in half the time.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "plimsoll-test-compile-cache");

const sourceFirst = {
  resolve: { conditions: ["plimsoll-source"] },
  ssr: { resolve: { conditions: ["plimsoll-source"], externalConditions: ["plimsoll-source"] } },
};

/** `unit` needs nothing but the clone; `corpus` needs the shared corpus and the tools of `.ci/run`. */
export default defineConfig({
  ...sourceFirst,
  test: {
    // All cores: by itself it leaves one free, which is half of a small machine.
    maxWorkers: "100%",
    // Whole titles: `.ci/run` finds each test again in another run by its name.
    taskTitleValueFormatTruncate: 0,
    projects: [
      {
        ...sourceFirst,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: ["**/*.corpus.test.ts", "**/node_modules/**", "**/dist/**"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // Modules keep no state, so files share their workers: each would else load everything anew.
          isolate: false,
        },
      },
      {
        ...sourceFirst,
        test: {
          name: "corpus",
          include: ["packages/*/src/**/*.corpus.test.ts", "tests/**/*.corpus.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
