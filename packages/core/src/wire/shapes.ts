/**
 * The JSON types of the scanner API (version 1.2.0). Optional members are left out instead of being empty; maps are always
 * present.
 */

import type { Json } from "../model/json-value.ts";
import type { Severity } from "../model/severity.ts";

/** `package` */
export interface PackageJson {
  readonly id?: string;
  readonly name: string;
  readonly version: string;
  readonly kind?: "BINARY" | "SOURCE";
  readonly source?: PackageJson;
  readonly normalized_version?: string;
  readonly module?: string;
  readonly arch?: string;
  readonly cpe?: string;
}

/** `distribution` */
export type DistributionJson = IndexReportJson["distributions"][string];

/** `repository` */
export type RepositoryJson = IndexReportJson["repository"][string];

/** `environment` */
export type EnvironmentJson = IndexReportJson["environments"][string][number];

/** The content of an image, which both reports contain. */
export type InventoryJson = Pick<IndexReportJson, "packages" | "distributions" | "repository" | "environments">;

/** `index_report` */
export interface IndexReportJson {
  readonly manifest_hash: string;
  readonly state: string;
  readonly success: boolean;
  readonly err?: string;
  readonly packages: Readonly<Record<string, PackageJson>>;
  readonly distributions: {
    readonly [id: string]: {
      readonly id: string;
      readonly did?: string;
      readonly name?: string;
      readonly version?: string;
      readonly version_code_name?: string;
      readonly version_id?: string;
      readonly arch?: string;
      readonly cpe?: string;
      readonly pretty_name?: string;
    };
  };
  /** The map of repositories; the contract names it in the singular. */
  readonly repository: {
    readonly [id: string]: {
      readonly id: string;
      readonly name?: string;
      readonly key?: string;
      readonly uri?: string;
      readonly cpe?: string;
    };
  };
  /** By package id. */
  readonly environments: {
    readonly [id: string]: readonly {
      readonly package_db?: string;
      readonly distribution_id?: string;
      readonly introduced_in?: string;
      readonly repository_ids?: readonly string[];
    }[];
  };
}

/** An index report with the additional member `coverage`, for a Plimsoll matcher. */
export interface CoveredIndexReportJson extends IndexReportJson {
  readonly coverage: {
    readonly status: "complete" | "partial";
    readonly layers: readonly { readonly digest: string; readonly status: string; readonly message?: string }[];
    readonly databases: readonly { readonly path: string; readonly layer: string; readonly packages: number }[];
    readonly problems: readonly { readonly at: string; readonly code: string; readonly message: string }[];
    readonly unassessed: readonly {
      readonly kind: string;
      readonly count: number;
      readonly evidence: readonly { readonly path: string; readonly layer: string }[];
    }[];
    readonly third_party_packages: number;
    readonly undecided_packages?: readonly { readonly fact: string; readonly package_ids: readonly string[] }[];
  };
}

/** An index report with what the records of packages say besides, for a Plimsoll registry. */
export interface DescribedIndexReportJson extends CoveredIndexReportJson {
  /** By package id. */
  readonly details?: {
    readonly [id: string]: {
      readonly licenses?: readonly { readonly text: string; readonly expression?: string; readonly path?: string }[];
      readonly supplier?: string;
      readonly originator?: string;
      readonly authors?: readonly string[];
      readonly copyright?: string;
      readonly description?: string;
      readonly homepage?: string;
      readonly source_address?: string;
      readonly download_address?: string;
      readonly requires?: readonly string[];
      readonly recommends?: readonly string[];
      readonly provides?: readonly string[];
      readonly file?: { readonly kind: "archive" | "program"; readonly sha256: string; readonly sha512: string };
    };
  };
  /** By package id. */
  readonly dependencies?: {
    readonly [id: string]: {
      readonly package_ids: readonly string[];
      readonly unmet?: readonly string[];
      readonly is_partial?: true;
    };
  };
  /** By package id. */
  readonly files?: {
    readonly [id: string]: readonly { readonly path: string; readonly digest?: string; readonly layer: string }[];
  };
}

/** What records of packages say besides. */
export type BillJson = Pick<DescribedIndexReportJson, "details" | "dependencies" | "files">;
export type DetailsJson = NonNullable<BillJson["details"]>[string];
export type DependenciesJson = NonNullable<BillJson["dependencies"]>[string];

/** `vulnerability` */
export interface VulnerabilityJson {
  readonly id: string;
  readonly updater?: string;
  readonly name: string;
  readonly description?: string;
  /** ISO 8601. */
  readonly issued?: string;
  /** Addresses separated by blanks. */
  readonly links?: string;
  readonly severity?: string;
  readonly normalized_severity: Severity;
  readonly package: PackageJson;
  readonly distribution?: IndexReportJson["distributions"][string];
  readonly repository?: IndexReportJson["repository"][string];
  readonly fixed_in_version?: string;
  /** Half-open; a missing bound is unbounded. */
  readonly range?: {
    readonly "["?: string;
    readonly ")"?: string;
  };
  readonly arch_op?: "equals" | "not equals" | "pattern match";
}

/** `vulnerability_report` */
export interface VulnerabilityReportJson
  extends Pick<IndexReportJson, "packages" | "distributions" | "repository" | "environments"> {
  readonly manifest_hash: string;
  readonly vulnerabilities: Readonly<Record<string, VulnerabilityJson>>;
  /** Vulnerability ids by package id. */
  readonly package_vulnerabilities: Readonly<Record<string, readonly string[]>>;
  /** By enrichment type. */
  readonly enrichments: Readonly<Record<string, readonly Json[]>>;
}

/** The JSON form of a coverage, which is not part of the contract. */
export type CoverageJson = CoveredIndexReportJson["coverage"];
