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
