/** A release of an operating system. */
export interface Distribution {
  /** Unique within one report. */
  readonly id: string;
  /** os-release `ID`: a lower-case name without a version, for example `debian`. */
  readonly did?: string;
  /** os-release `ID_LIKE`, split at blanks. Not on the wire. */
  readonly like?: readonly string[];
  readonly name?: string;
  readonly version?: string;
  readonly versionCodeName?: string;
  /** Mostly numeric, for example `12` or `22.04`. */
  readonly versionId?: string;
  readonly arch?: string;
  readonly cpe?: string;
  readonly prettyName?: string;
}

/**
 * A release in words: its pretty name, else the name and the version; empty if it has none of these.
 * @example
 * releaseName({ did: "debian", versionId: "12" }); // "debian 12"
 */
export function releaseName({ prettyName, name, did, versionId }: Omit<Distribution, "id">): string {
  return prettyName ?? [name ?? did ?? [], versionId ?? []].flat().join(" ");
}
