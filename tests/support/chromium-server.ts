import { chromium } from "playwright";
import type { TestProject } from "vitest/node";
import { findChromium } from "../../scripts/test-in-browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the Chromium of the run listens. */
    readonly chromium: string;
  }
}

/** Starts the one Chromium of a run: each file of tests has contexts of its own in it, which do not see each other. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({ executablePath: findChromium() ?? "", args: ["--no-sandbox"] });
  project.provide("chromium", server.wsEndpoint());
  return () => server.close();
}
