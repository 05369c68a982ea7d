#!/usr/bin/env node
/**
 * The `plimsoll` command. This file runs on old versions of Node too, to say what they lack: everything that needs a newer
 * one is imported afterwards.
 */
const needed = [24, 15];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `plimsoll needs Node ${needed.join(".")} or later and was started on ${process.versions.node}: install a newer Node, or in a clone run it through npm (npx plimsoll), which brings its own\n`,
  );
  process.exitCode = 2;
} else {
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(); // compiled code is kept in the system's temporary folder: later starts take half the time
  const { main } = await import("./main.ts");
  await main();
}
