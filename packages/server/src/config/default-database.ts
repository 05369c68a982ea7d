import { homedir } from "node:os";
import { join } from "node:path";

/** Where the advisory database lies when nobody says: in the user's cache folder of the platform. */
export function defaultDatabase(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(cacheFolder(env, platform), "plimsoll", "plimsoll.db");
}

function cacheFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  const home = env.HOME ?? homedir();
  if (platform === "win32") return env.LOCALAPPDATA ?? join(home, "AppData", "Local");
  if (platform === "darwin") return join(home, "Library", "Caches");
  return env.XDG_CACHE_HOME ?? join(home, ".cache");
}
