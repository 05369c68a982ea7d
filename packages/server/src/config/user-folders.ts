import { homedir } from "node:os";
import { join } from "node:path";

/** The purpose of a user's folder. */
export type UserFolder = "cache" | "configuration" | "data";

type Environment = Readonly<Record<string, string | undefined>>;

/** Our folder for a purpose among the user's folders, by the conventions of the platform. */
export function userFolder(kind: UserFolder, env: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = env.HOME ?? homedir();
  const { variable, otherwise } = places[platform === "win32" || platform === "darwin" ? platform : "linux"][kind];
  return join((variable && env[variable]) ?? join(home, ...otherwise), "plimsoll");
}

/** The default path of the advisory database. */
export function defaultDatabase(env: Environment, platform?: NodeJS.Platform): string {
  return join(userFolder("cache", env, platform), "plimsoll.db");
}

interface Place {
  /** The environment variable that overrides the folder. */
  readonly variable?: string;
  /** The default, below the home folder. */
  readonly otherwise: readonly string[];
}

/** @see https://specifications.freedesktop.org/basedir-spec/latest/ */
const places: Readonly<Record<"win32" | "darwin" | "linux", Readonly<Record<UserFolder, Place>>>> = {
  win32: {
    cache: { variable: "LOCALAPPDATA", otherwise: ["AppData", "Local"] },
    configuration: { variable: "APPDATA", otherwise: ["AppData", "Roaming"] },
    data: { variable: "LOCALAPPDATA", otherwise: ["AppData", "Local"] },
  },
  darwin: {
    cache: { otherwise: ["Library", "Caches"] },
    configuration: { otherwise: ["Library", "Application Support"] },
    data: { otherwise: ["Library", "Application Support"] },
  },
  linux: {
    cache: { variable: "XDG_CACHE_HOME", otherwise: [".cache"] },
    configuration: { variable: "XDG_CONFIG_HOME", otherwise: [".config"] },
    data: { variable: "XDG_DATA_HOME", otherwise: [".local", "share"] },
  },
};
