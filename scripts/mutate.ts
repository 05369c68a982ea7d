/**
 * Mutation testing of a folder or a file: makes one small change after another and lists those that no test notices, of the package or of
 * those that exercise it.
 *
 *     npm run mutate -- packages/core/src/match [--concurrency 2]
 *
 * It changes the code in the clone itself, which must have nothing to commit, and restores it at the end. Arguments after the path
 * are for Stryker. One change takes about a second. The report is in `.cache/mutation/`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const [path = "", ...more] = process.argv.slice(2);
const mutated = relative(root, resolve(path));
const [owner] = /^packages\/[^/]+(?=\/src)/.exec(mutated) ?? [];
if (owner === undefined || !existsSync(resolve(root, mutated))) fail("name a folder or file in packages/PACKAGE/src");
const { stdout: changes } = spawnSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
if (changes !== "") fail("commit first: code is changed where it stands");

/** Packages whose tests exercise another: the rules of the registry are tested by its operations, and its adapters by the ports. */
const exercisedBy: Readonly<Record<string, readonly string[]>> = {
  "packages/registry": ["packages/registry-api"],
  "packages/registry-adapters": ["packages/registry-api"],
  "packages/scanner-api": ["packages/indexer", "packages/matcher", "packages/notifier", "packages/server"],
};

const isFolder = statSync(resolve(root, mutated)).isDirectory();
const files = isFolder ? `${mutated}/**/*.ts,!**/*.test.ts,!**/fixtures/**` : mutated;
const cache = resolve(root, ".cache");
mkdirSync(cache, { recursive: true });

/** The tests of these packages, without those that start processes, which would take hours. */
const sources = { conditions: ["plimsoll-source"] };
const tests = {
  root,
  resolve: sources,
  ssr: { resolve: { ...sources, externalConditions: sources.conditions } },
  test: {
    include: [owner, ...(exercisedBy[owner] ?? [])].map((each) => `${each}/src/**/*.test.ts`),
    exclude: ["**/*.corpus.test.ts", "**/killed-*.test.ts", "**/node_modules/**", "**/dist/**"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
};
writeFileSync(resolve(cache, "vitest.mutate.config.mjs"), `export default ${JSON.stringify(tests)};`);

/** @see https://stryker-mutator.io/docs/stryker-js/configuration/ */
const options = {
  testRunner: "vitest",
  vitest: { configFile: ".cache/vitest.mutate.config.mjs", related: true },
  plugins: ["@stryker-mutator/vitest-runner"],
  inPlace: true,
  coverageAnalysis: "perTest",
  concurrency: 1,
  dryRunTimeoutMinutes: 30,
  reporters: ["clear-text", "json", "html"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  jsonReporter: { fileName: ".cache/mutation/mutation.json" },
  htmlReporter: { fileName: ".cache/mutation/mutation.html" },
  tempDirName: ".cache/stryker",
  ignorePatterns: ["*", "!packages/**", "!scripts/**", "!package.json", "!tsconfig*.json"],
  disableTypeChecks: false,
  allowEmpty: false,
};
writeFileSync(resolve(cache, "stryker.config.json"), JSON.stringify(options));

const words = ["run", ".cache/stryker.config.json", "--mutate", files, ...more];
const { status } = spawnSync("stryker", words, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
