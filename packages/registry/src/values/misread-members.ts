const known = [
  "schemaVersion",
  "mediaType",
  "artifactType",
  "config",
  "layers",
  "manifests",
  "subject",
  "annotations",
  "digest",
  "size",
  "urls",
];

const byFolded: ReadonlyMap<string, string> = new Map(known.map((name) => [folded(name), name]));

/**
 * The first member of a manifest, or of a descriptor in it, whose name is that of a known one but for upper and lower case. Runtimes in Go
 * take it for the known one, and JavaScript does not: such a manifest would be another one for each reader.
 * @see https://pkg.go.dev/encoding/json#Unmarshal
 */
export function misreadMember(manifest: Readonly<Record<string, unknown>>): string | undefined {
  const { config, subject, layers, manifests } = manifest;
  for (const part of [manifest, config, subject, layers, manifests].flat()) {
    const name = isObject(part) ? Object.keys(part).find(isMisread) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

function isMisread(name: string): boolean {
  const meant = byFolded.get(folded(name));
  return meant !== undefined && meant !== name;
}

/** Go also takes U+017F for `s` and U+212A for `k`. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** Whether a value of a JSON document is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of a value; undefined if the value is not an object. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
