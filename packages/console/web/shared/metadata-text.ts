/** The members of an entry's metadata that are strings, as one line: `repo: app, tag: 1.2`. */
export function metadataText({ metadata }: { readonly metadata: object }): string {
  const texts = Object.entries<unknown>({ ...metadata }).filter(([, value]) => typeof value === "string");
  return texts.map(([name, value]) => `${name}: ${value}`).join(", ");
}
