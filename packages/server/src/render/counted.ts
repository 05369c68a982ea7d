/** A number with its noun: `1 finding`, `2 findings`. Pass an irregular plural as `several`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
