/** What a statement says of a vulnerability in a product. Only the first two take findings out. */
export type VexStatus = "not_affected" | "fixed" | "affected" | "under_investigation";

/** What a statement is about: an image, packages, or packages of an image. */
export interface VexProduct {
  /** A package URL, a digest of the image (`sha256:…`), or a name of it; absent: every image. */
  readonly image?: string;
  /** The package URL of a package; absent: every package of the image. */
  readonly component?: string;
}

/** One statement of a user, from a VEX document or a rule of the configuration. */
export interface VexStatement {
  /** All names of the vulnerability: `CVE-2024-45491`, `GHSA-…`. */
  readonly vulnerability: readonly string[];
  readonly status: VexStatus;
  /** It is about any of them. */
  readonly products: readonly VexProduct[];
  /** Why, as a word of the format: `vulnerable_code_not_present`. */
  readonly justification?: string;
  /** Why, in sentences. */
  readonly detail?: string;
  readonly author?: string;
  /** Epoch milliseconds. Of statements about the same, the latest counts. */
  readonly statedAt?: number;
  /** Epoch milliseconds: it no longer counts from then on. */
  readonly expiresAt?: number;
  /** Set for a statement of a document that is attached to an image: those that the reader of the report gave count before it. */
  readonly isAttached?: true;
  /** Where it stands, for messages: `app.vex.json: statements[2]`. */
  readonly place: string;
}
