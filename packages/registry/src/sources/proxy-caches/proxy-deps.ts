import type { Deps } from "../../deps.ts";

/** What pulls through caches need. */
export interface ProxyDeps
  extends Pick<Deps, "store" | "blobs" | "settings" | "clock" | "secrets" | "outgoing" | "upstreams" | "pageAddress"> {
  /** Resolves after that time, or as soon as the signal is aborted. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
}
