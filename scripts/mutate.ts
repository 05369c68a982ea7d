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
import { existsSync, statSync } from "node:fs";
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
const { status } = spawnSync("stryker", ["run", "scripts/stryker.config.json", "--mutate", files, ...more], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, PLIMSOLL_TESTED_PACKAGES: [owner, ...(exercisedBy[owner] ?? [])].join() },
});
process.exitCode = status ?? 1;

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
