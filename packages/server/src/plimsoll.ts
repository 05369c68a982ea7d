#!/usr/bin/env node
/**
 * The `plimsoll` command. This file runs on old versions of Node too, to say what they lack: everything that needs a newer
 * one is imported afterwards.
 */
import { nodeProblem } from "./node-version.ts";

const problem = nodeProblem(process.versions.node);

if (problem === undefined) {
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(); // compiled code is kept in the system's temporary folder: later starts take half the time
  const { main } = await import("./main.ts");
  await main();
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
}
