import { type SettingKind, someOf } from "./setting-kind.ts";

/**
 * The services that a process of `plimsoll serve` can run: all, one of the scanner's services, the registry, or a worker for the
 * registry's background work.
 */
export const serviceModes = ["all", "indexer", "matcher", "notifier", "registry", "worker"] as const;

/** One of {@link serviceModes}. */
export type ServiceMode = (typeof serviceModes)[number];

/** One or more modes: a text with commas or blanks, or a list. */
export const modeWords: SettingKind<readonly ServiceMode[]> = someOf(serviceModes);

/** Whether a process runs a service. */
export function hasMode({ modes }: { readonly modes: readonly ServiceMode[] }, mode: ServiceMode): boolean {
  return modes.includes("all") || modes.includes(mode);
}
