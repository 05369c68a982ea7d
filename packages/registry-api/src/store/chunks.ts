/** A statement takes so many parameters at most. */
const chunkLength = 1000;

/** A list in parts that fit a statement. */
export function inChunks<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / chunkLength);
  return Array.from({ length: count }, (_, index) => items.slice(index * chunkLength, (index + 1) * chunkLength));
}
