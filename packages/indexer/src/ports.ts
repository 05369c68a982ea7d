import type { Bytes, ManifestLayer } from "@plimsoll/core";

/**
 * The bytes of a layer from where its manifest says they are, from the beginning at each call. Nothing of them is checked.
 * Iterating throws ScanError `source_unreachable`, `unauthorized`, `not_found`, `not_permitted`, `timed_out`, `aborted`.
 */
export type FetchLayer = (layer: ManifestLayer, signal?: AbortSignal) => Bytes;

/** Waits; ends early, resolving or rejecting, when the signal is aborted. */
export type Sleep = (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
