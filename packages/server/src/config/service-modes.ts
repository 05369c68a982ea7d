import { type SettingKind, someOf } from "./setting-kind.ts";

/**
 * What a process of `plimsoll serve` can be: everything, one of the scanner's services, the registry, or a worker that does
 * the registry's work in the background.
 */
export const serviceModes = ["all", "indexer", "matcher", "notifier", "registry", "worker"] as const;

/** One of {@link serviceModes}. */
export type ServiceMode = (typeof serviceModes)[number];

/** Some modes, separated by commas or blanks or as a list. */
export const modeWords: SettingKind<readonly ServiceMode[]> = someOf(serviceModes);

/** Whether a process is to be something. */
export function hasMode({ modes }: { readonly modes: readonly ServiceMode[] }, mode: ServiceMode): boolean {
  return modes.includes("all") || modes.includes(mode);
}
