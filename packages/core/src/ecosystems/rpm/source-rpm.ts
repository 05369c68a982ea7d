/** The source package of a binary. */
export interface SourceRpm {
  readonly name: string;
  /** `version-release`; never with an epoch. */
  readonly version: string;
}

/** Parses `name-version-release.src.rpm` (or `.nosrc.rpm`) at its last two hyphens; undefined for other texts. */
export function parseSourceRpm(fileName: string): SourceRpm | undefined {
  const match = /^(?<name>.+)-(?<version>[^-]+-[^-]+)\.(?:no)?src\.rpm$/.exec(fileName);
  const { name, version } = match?.groups ?? {};
  return name === undefined || version === undefined ? undefined : { name, version };
}
