/** What tests start finds a home of the tests, and not that of the user who runs them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { outputOf } from "./support/client-program.ts";
import { programEnvironment } from "./support/killed-program.ts";
import { ownHome } from "./support/own-home.ts";

const isWindows = process.platform === "win32";

it("is the home of every program of the tests", async () => {
  const variables = ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"];
  const words = ["-e", "console.log(JSON.stringify(process.env))"];
  const seen = JSON.parse(await outputOf(process.execPath, words));

  expect(programEnvironment.HOME).toContain("plimsoll-home-");
  for (const name of variables) expect(`${name}=${seen[name]}`).toContain(`=${programEnvironment.HOME}`);
  if (!isWindows) expect(homedir()).not.toBe(userInfo().homedir);
});

it.skipIf(isWindows)("goes with the process that podman leaves there", async () => {
  const home = ownHome();
  const pause = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  const ended = once(pause, "exit");
  const file = join(home.variables.XDG_RUNTIME_DIR, "libpod/tmp/pause.pid");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${pause.pid}`);

  home[Symbol.dispose]();

  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(existsSync(home.variables.HOME)).toBe(false);
});
