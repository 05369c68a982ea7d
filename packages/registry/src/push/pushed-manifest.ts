import type { Digest } from "@plimsoll/core/digest";
import type { ImageRepository } from "../access/queries.ts";
import type { Attacher } from "../content/attachers.ts";
import type { TagRoom } from "../limits/tag-room.ts";
import type { UsageLimit } from "../organizations/quotas/usage-limits.ts";
import type { NewLogEntry } from "../store/usage-log.ts";
import type { ImageFacts, ParsedManifest } from "./parse-manifest.ts";
import type { Reference } from "./reference.ts";

/** A manifest to store, and the facts of its push. */
export interface PushedManifest {
  readonly repository: ImageRepository;
  readonly manifest: ParsedManifest;
  /** The bytes exactly as they were pushed. */
  readonly content: string;
  readonly digest: Digest;
  readonly labels: ImageFacts["labels"];
  readonly platform: ImageFacts["platform"];
  /** The tags to point at it; empty if it is pushed by digest alone. */
  readonly tags: readonly string[];
  /** Refuses the push if the current digest is not the one that the client expects; absent for an unconditional push. */
  readonly expects?: { readonly reference: Reference; check(current: string | undefined): void };
  /** Who attaches the documents in it; absent for copies from other registries. */
  readonly attacher?: Attacher | undefined;
  readonly limits: readonly UsageLimit[];
  /** The entries of the usage log about the push. */
  readonly logged: readonly NewLogEntry[];
  /** How long the scan job waits, since this process scans the image itself; undefined without a scanner. */
  readonly headStartMs: number | undefined;
  /** Whether notifications of the push may be due. */
  readonly emitsEvents: boolean;
  /** Whether policies may prune the repository. */
  readonly mayBePruned: boolean;
  /** Whether manifests of an index may be missing: of a pulled one, and of a pushed one where the operator allows it. */
  readonly isSparse?: boolean;
  /** How many tags a repository may have, and which repositories surely have room for more; absent: any number. */
  readonly tagLimit?: { readonly most: number; readonly room: TagRoom };
  readonly now: number;
}
