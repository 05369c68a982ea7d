/** What an assembly says of its version, in three places. */
export interface AssemblyVersions {
  /** `ProductVersion`: what a package's version is written to when it is built, with the revision of its sources behind a plus. */
  readonly product?: string | undefined;
  /** `FileVersion`: four numbers, the first three mostly those of the package. */
  readonly file?: string | undefined;
  /** Of its identity: many packages never change it, so that programs need not be built again. */
  readonly identity: string;
}

const version = /^v?(\d{1,10}(?:\.\d{1,10}){1,3}(?:-[0-9a-z-]{1,40}(?:\.[0-9a-z-]{1,40}){0,5})?)(?:\+\S*)?(?:[ ,]|$)/i;
/** What Microsoft's builds of releases are marked with; the package has no such mark. */
const ofReleases = /-(?:rtm|servicing)[.-]/i;

/**
 * The version of the package that an assembly is probably of: the first of the product's, the file's and the identity's that is one. Empty
 * where all are 0.
 * @see https://learn.microsoft.com/en-us/dotnet/standard/library-guidance/versioning
 */
export function versionOfAssembly({ product, file, identity }: AssemblyVersions): string {
  const found = [product, file, identity].map(plainVersion).find((each) => each !== "");
  return found ?? "";
}

function plainVersion(text = ""): string {
  const [, found = ""] = version.exec(text.trim()) ?? [];
  const plain = found
    .split(ofReleases, 1)
    .join("")
    .replace(/^(\d+\.\d+\.\d+)\.0+(?=-|$)/, "$1");
  return /[1-9]/.test(plain) ? plain : "";
}
