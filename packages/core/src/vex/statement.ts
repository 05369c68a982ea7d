/** The status of a vulnerability in a product. Only the first two suppress findings. */
export type VexStatus = VexStatement["status"];

/** The subject of a statement: an image, packages, or packages of an image. */
export type VexProduct = VexStatement["products"][number];

/** One statement of a user, from a VEX document or a rule of the configuration. */
export interface VexStatement {
  /** All names of the vulnerability: `CVE-2024-45491`, `GHSA-…`. */
  readonly vulnerability: readonly string[];
  /** Only the first two suppress findings. */
  readonly status: "not_affected" | "fixed" | "affected" | "under_investigation";
  /** The subjects: an image, packages, or packages of an image. The statement is about each of them. */
  readonly products: readonly {
    /** A package URL, a digest of the image (`sha256:…`), or a name of the image; absent: every image. */
    readonly image?: string;
    /** The package URL of a package; absent: every package of the image. */
    readonly component?: string;
    /** The versions that the statement is about: single versions, and ranges as `vers:npm/>=4.17.1`; absent: what the names above say. */
    readonly versions?: {
      readonly image?: readonly string[];
      readonly component?: readonly string[];
    };
  }[];
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

/** The image and the time for which statements are applied. */
export interface StatementContext {
  /** The digests of its manifest, its configuration, and indexes that list it. */
  readonly digests: readonly string[];
  /** The name of the image: `registry.example/team/app:1.2`. */
  readonly reference?: string;
  /** The current time in epoch milliseconds, which decides whether a statement has expired. */
  readonly now: number;
  /** `set-aside`: findings in packages of the kernel are suppressed, because a container does not run them. Absent: they are not. */
  readonly kernel?: "set-aside";
  /** How many products are compared with packages at most; absent: any number. A person who attaches a document chooses how many there are. */
  readonly mostComparisons?: number;
}
