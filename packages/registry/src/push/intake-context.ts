import type { Deps } from "../deps.ts";

/** The context of copying images. */
export type IntakeContext = Pick<Deps, "store" | "blobs" | "settings" | "clock">;
