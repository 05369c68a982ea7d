/** Parses a list that is separated by commas; empty items are left out. */
export function parseCommaList(text: string): readonly string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}
