import { normalizePlatform } from "@plimsoll/core/internal";
import type { Platform } from "@plimsoll/core/platform";

/** The system clock. */
export const systemClock = { now: () => Date.now() };

/**
 * The image platform of this machine. Images are for Linux, whatever the machine runs.
 * @example
 * const { architecture } = hostPlatform();
 */
export function hostPlatform(architecture: string = process.arch): Platform {
  const names: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386", mips64el: "mips64le" };
  return normalizePlatform({ os: "linux", architecture: names[architecture] ?? architecture });
}
