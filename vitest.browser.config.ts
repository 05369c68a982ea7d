import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { findChromium, portableEngineTests } from "./scripts/test-in-browser.ts";

const shared = {
  resolve: { conditions: ["plimsoll-source"] },
  ssr: { resolve: { conditions: ["plimsoll-source"], externalConditions: ["plimsoll-source"] } },
};
const suite = { include: [...portableEngineTests(import.meta.dirname)], isolate: false, testTimeout: 30_000 };

/** The engine's suite in a page of the Chromium of this machine and in worker threads, and the pages that scan. */
export default defineConfig({
  ...shared,
  test: {
    maxWorkers: "100%",
    // As in `vitest.config.ts`: what is waited for comes late on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    taskTitleValueFormatTruncate: 0,
    // And whole values: a failure is looked into by its message.
    chaiConfig: { truncateThreshold: 0 },
    projects: [
      {
        ...shared,
        test: {
          ...suite,
          name: "browser",
          // One page at a time, before the other projects, which use all cores.
          fileParallelism: false,
          sequence: { groupOrder: 0 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { executablePath: findChromium() ?? "", args: ["--no-sandbox"] } }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
      { ...shared, test: { ...suite, name: "worker", pool: "threads", sequence: { groupOrder: 1 } } },
      {
        ...shared,
        test: {
          name: "pages",
          include: ["tests/browser/*.browser.test.ts"],
          globalSetup: ["tests/support/chromium-server.ts"],
          // A page is drawn at several widths and checked whole, beside other tests.
          testTimeout: 240_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
          // Chromium shares the machine with all other tests: what came too late once is tried again, and the report says so.
          retry: 1,
          // As in `vitest.config.ts`: modules keep no state, and each file would else load all of the registry anew.
          isolate: false,
        },
      },
    ],
  },
});
