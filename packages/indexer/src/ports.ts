import type { Bytes } from "@plimsoll/core";
import type { ManifestLayer } from "@plimsoll/core/internal";

/**
 * Fetches the bytes of a layer from its address, from the beginning on each call. The bytes are not checked.
 * Iterating throws ScanError `source_unreachable`, `unauthorized`, `not_found`, `not_permitted`, `timed_out`, `aborted`.
 */
export type FetchLayer = (layer: ManifestLayer, signal?: AbortSignal) => Bytes;

/** Waits. It resolves or rejects early when the signal is aborted. */
export type Sleep = (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
