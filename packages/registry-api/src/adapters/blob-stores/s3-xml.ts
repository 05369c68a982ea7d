/** The text of the first element of a name in an answer of a store, whose XML has neither attributes there nor CDATA. */
export function elementOf(xml: string, name: string): string | undefined {
  const [text] = elementsOf(xml, name);
  return text === undefined ? undefined : unescapeXml(text);
}

/** What is inside each element of a name, as it is written. */
export function elementsOf(xml: string, name: string): readonly string[] {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  const found: string[] = [];
  for (let at = xml.indexOf(opening); at >= 0; ) {
    const end = xml.indexOf(closing, at + opening.length);
    if (end < 0) break;
    found.push(xml.slice(at + opening.length, end));
    at = xml.indexOf(opening, end + closing.length);
  }
  return found;
}

const named = new Map(Object.entries({ quot: '"', apos: "'", lt: "<", gt: ">", amp: "&" }));

/** Some stores write the quotes of an ETag as `&quot;`, some as `&#34;`, some as they are. */
function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return named.get(name) ?? entity;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
