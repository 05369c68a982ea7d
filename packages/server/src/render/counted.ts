/** `1 finding`, `2 findings`; words that take no s name their plural. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
