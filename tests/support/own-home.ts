/** Before the tests: gives them, and the programs that they start, a home of their own, so that the user's own files stay as they are. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder of each variable below the home. @see https://specifications.freedesktop.org/basedir-spec/latest/ */
const places = {
  HOME: "",
  XDG_CACHE_HOME: ".cache",
  XDG_CONFIG_HOME: ".config",
  XDG_DATA_HOME: ".local/share",
  XDG_STATE_HOME: ".local/state",
  XDG_RUNTIME_DIR: "run", // short: podman takes no path of more than 50 characters
} as const;

/** A home and what leads to it. Disposing removes it, with what programs have left running in it. */
export interface OwnHome extends Disposable {
  readonly variables: Readonly<Record<keyof typeof places, string>>;
}

/** Makes an empty home in the system's folder for temporary files. */
export function ownHome(): OwnHome {
  const home = mkdtempSync(join(tmpdir(), "plimsoll-home-"));
  const at = (name: keyof typeof places) => join(home, places[name]);
  mkdirSync(at("XDG_RUNTIME_DIR"), { mode: 0o700 });
  return {
    variables: {
      HOME: home,
      XDG_CACHE_HOME: at("XDG_CACHE_HOME"),
      XDG_CONFIG_HOME: at("XDG_CONFIG_HOME"),
      XDG_DATA_HOME: at("XDG_DATA_HOME"),
      XDG_STATE_HOME: at("XDG_STATE_HOME"),
      XDG_RUNTIME_DIR: at("XDG_RUNTIME_DIR"),
    },
    [Symbol.dispose]() {
      endPause(join(at("XDG_RUNTIME_DIR"), "libpod/tmp/pause.pid"));
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Podman of an ordinary user leaves a process that holds its namespaces: it is ended. */
function endPause(file: string): void {
  try {
    process.kill(Number(readFileSync(file, "utf8")), "SIGKILL");
  } catch {
    // podman did not run here, or the process has ended
  }
}

// biome-ignore lint/style/noDefaultExport: vitest takes the default export
export default function setup(): () => void {
  const home = ownHome();
  Object.assign(process.env, home.variables); // workers of Vitest take these over
  return () => home[Symbol.dispose]();
}
