#!/usr/bin/env node
/**
 * The `plimsoll` command. This file runs on old versions of Node, too, to print a message about the version. Everything that needs a
 * newer one is imported after the check.
 */
import { nodeProblem } from "./node-version.ts";

const problem = nodeProblem(process.versions.node);

if (problem === undefined) {
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(); // keeps compiled code in the system's temporary folder, which halves the time of later starts
  const { main } = await import("./main.ts");
  await main();
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
}
