import { homedir } from "node:os";
import { join } from "node:path";

/** Where the service keeps what it knows when nobody says: in the user's data folder of the platform. */
export function defaultDataFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(dataFolder(env, platform), "plimsoll");
}

function dataFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  const home = env.HOME ?? homedir();
  if (platform === "win32") return env.LOCALAPPDATA ?? join(home, "AppData", "Local");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return env.XDG_DATA_HOME ?? join(home, ".local", "share");
}
