import type { Digest } from "@plimsoll/core";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { NewLogEntry } from "../logs/queries/new-entries.ts";
import type { UsageLimit } from "../quotas/usage-limits.ts";
import type { ParsedManifest } from "./parse-manifest.ts";
import type { Reference } from "./reference.ts";

/** A manifest that is pushed. */
export interface PushedManifest {
  readonly repository: ImageRepository;
  readonly manifest: ParsedManifest;
  /** Exactly as it came. */
  readonly content: string;
  readonly digest: Digest;
  readonly labels: Readonly<Record<string, string>>;
  /** What points at it from now on; none where it is pushed by its digest alone. */
  readonly tags: readonly string[];
  /** Refuses the push where what is there now, by its digest, is not what the client expects; absent where it expects nothing. */
  readonly expects?: { readonly reference: Reference; check(current: string | undefined): void };
  readonly limits: readonly UsageLimit[];
  /** What the usage log says of the push. */
  readonly logged: readonly NewLogEntry[];
  /** How long the queue leaves the image to the process that it is pushed to; absent where nothing reads images here. */
  readonly headStartMs: number | undefined;
  /** Whether there may be others who are to be told of it. */
  readonly isTold: boolean;
  readonly now: number;
}
