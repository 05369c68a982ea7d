/** The status of a vulnerability in a product. Only the first two suppress findings. */
export type VexStatus = "not_affected" | "fixed" | "affected" | "under_investigation";

/** The subject of a statement: an image, packages, or packages of an image. */
export interface VexProduct {
  /** A package URL, a digest of the image (`sha256:…`), or a name of the image; absent: every image. */
  readonly image?: string;
  /** The package URL of a package; absent: every package of the image. */
  readonly component?: string;
}

/** One statement of a user, from a VEX document or a rule of the configuration. */
export interface VexStatement {
  /** All names of the vulnerability: `CVE-2024-45491`, `GHSA-…`. */
  readonly vulnerability: readonly string[];
  readonly status: VexStatus;
  /** The statement is about each of them. */
  readonly products: readonly VexProduct[];
  /** The reason as a keyword of the document's format: `vulnerable_code_not_present`. */
  readonly justification?: string;
  /** The reason in sentences. */
  readonly detail?: string;
  readonly author?: string;
  /** Epoch milliseconds. If several statements are about the same finding, the latest counts. */
  readonly statedAt?: number;
  /** Epoch milliseconds. From then on the statement does not count. */
  readonly expiresAt?: number;
  /** Set for a statement of a document that is attached to the image. Statements from other places have priority. */
  readonly isAttached?: true;
  /** Its place, for messages: `app.vex.json: statements[2]`. */
  readonly place: string;
}
