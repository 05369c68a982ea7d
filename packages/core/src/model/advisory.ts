import type { Severity } from "./severity.ts";

/** Versions that an advisory covers. */
export type AdvisoryRange = AdvisoryRule["ranges"][number];

/** What a bound of a range begins with that is a commit, with which no version is comparable: `git:1b2c3d`. */
export const commitBound = "git:";

/** How an advisory's architecture text is compared with a package's. */
export const archOperations = ["equals", "not equals", "pattern match"] as const satisfies readonly ArchOperation[];

/** One of {@link archOperations}. */
export type ArchOperation = ArchCondition["operation"];

/** The architectures to which an advisory applies. */
export type ArchCondition = NonNullable<AdvisoryRule["arch"]>;

/** A part of a package that an advisory is about: a Go import path and its affected functions and methods. */
export type AdvisoryImport = NonNullable<AdvisoryRule["imports"]>[number];

/** The part of an advisory that a matcher judges by. */
export interface AdvisoryRule {
  /** Unique among all advisories, and the same whenever the same statement is read again. */
  readonly id: string;
  /** The vendor's name for the vulnerability: `CVE-2024-45491`, `ALAS2-2023-2222`. */
  readonly name: string;
  /** Other names of the same vulnerability. */
  readonly aliases: readonly string[];
  /** `did:version` of a distribution (`debian:12`, `alpine:3.20`, `wolfi`) or an OSV ecosystem name (`PyPI`). */
  readonly ecosystem: string;
  /** The name for look-ups: PyPI names are normalized (PEP 503). */
  readonly packageName: string;
  /** `SOURCE`: `packageName` and the versions are those of the source package. */
  readonly packageKind: "BINARY" | "SOURCE";
  /** `name:stream`: applies only to packages of that module. */
  readonly module?: string;
  /** The architectures to which it applies, and how they are compared with a package's. */
  readonly arch?: {
    readonly operation: "equals" | "not equals" | "pattern match";
    readonly value: string;
  };
  /**
   * CPE names of the products to which it applies, where a distribution has several with different versions: subscriber streams,
   * layered products. Absent: it applies to every package of the ecosystem.
   */
  readonly cpes?: readonly string[];
  /** `undetermined`: the vendor does not know. */
  readonly status: "affected" | "not-affected" | "undetermined";
  /**
   * A version in any of these is covered; `[{}]` is every version, `[]` none. A range is from `introduced` (inclusive; absent means from the first version on) up
   * to `fixed` (exclusive), `lastAffected` (inclusive) or `below` (exclusive, but that version is not known to have a fix).
   */
  readonly ranges: readonly {
    readonly introduced?: string;
    readonly fixed?: string;
    readonly lastAffected?: string;
    readonly below?: string;
  }[];
  /** Single versions that are covered too. */
  readonly versions: readonly string[];
  /** The parts of the package that are affected, where only some are: Go import paths with their affected functions and methods. */
  readonly imports?: readonly {
    readonly path: string;
    /** Empty where all of them are affected. */
    readonly symbols: readonly string[];
  }[];
}

/** One vendor statement that a package is affected in some versions, or that it is not. */
export interface Advisory extends AdvisoryRule {
  /** The updater that imported it. */
  readonly updater: string;
  readonly description?: string;
  /** When the vendor published it. */
  readonly issuedAt?: number;
  readonly links: readonly string[];
  /** The vendor's own word, score or vector. */
  readonly severity?: string;
  readonly normalizedSeverity: Severity;
  /** The vendor's word for its plan for an affected package without a fix (`no-dsa`, `postponed`). */
  readonly remediation?: string;
}
