/**
 * Before the tests: puts what they start in threads and processes of its own into bundles, which start in a third of the time that
 * the sources take. Where a test asks for a program that is not here, it gets the sources (`testProgram`).
 */
import { readFileSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { bundleName } from "../../packages/testing/src/test-programs.ts";

const root = resolve(import.meta.dirname, "../..");
const threads = ["packages/indexer/src/layer-worker.ts", "packages/indexer/src/fixtures/costly-engine.ts"];
const programs = [
  "examples/receive-webhook/main.ts",
  "examples/scan-five-lines/main.ts",
  "packages/indexer/src/fixtures/killed-indexer.ts",
  "packages/indexer/src/fixtures/killed-refresh.ts",
  "packages/matcher/src/fixtures/killed-update.ts",
  "packages/notifier/src/fixtures/dying-notifier.ts",
  "packages/registry-api/src/distribution/fixtures/killed-registry.ts",
  "packages/server/src/plimsoll.ts",
  "packages/server/src/image-thread.ts",
  "packages/server/src/report-thread.ts",
  "packages/store/src/dialects/fixtures/lock-holder.ts",
  "packages/store/src/jobs/fixtures/killed-worker.ts",
  "tests/support/job-program.ts",
  "tests/support/measured-command.ts",
  "tests/support/migrate-program.ts",
];

/** CommonJS parts of a bundle get a require. */
const banner =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

async function bundle(sources: readonly string[], outDir: string): Promise<void> {
  await build({
    entryPoints: Object.fromEntries(sources.map((source) => [bundleName(source), resolve(root, source)])),
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2024",
    platform: "node",
    conditions: ["plimsoll-source"],
    external: ["pg-native"],
    banner: { js: banner },
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
  });
}

/** Whole programs take seconds to bundle: only for tests that start them. */
async function startsPrograms(project: TestProject): Promise<boolean> {
  // Vitest does not tell of it what the files are called that are asked for; without that, these are all files.
  const { filenamePattern } = project.vitest as { readonly filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  return testFiles.some(
    (file) => file.startsWith(join(root, "tests")) || readFileSync(file, "utf8").includes("Program("),
  );
}

// biome-ignore lint/style/noDefaultExport: vitest takes the default export
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "plimsoll-test-programs-")); // Node names files by their real path
  const bundleAll = async () => {
    await bundle((await startsPrograms(project)) ? [...threads, ...programs] : threads, folder);
  };
  await writeFile(join(folder, "package.json"), '{ "type": "module" }'); // or Node parses each file once more to find out
  process.env.PLIMSOLL_TEST_PROGRAMS = folder;
  process.env.NODE_COMPILE_CACHE = join(folder, "compiled"); // what Node has compiled once is there for all that tests start
  project.onTestsRerun(bundleAll);
  await bundleAll();
  return () => rm(folder, { recursive: true, maxRetries: 10 });
}
