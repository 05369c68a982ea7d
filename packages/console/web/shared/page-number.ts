/** The number of the page in an address; the first for what is none, and for numbers that no list reaches. */
export function pageNumber(text: string): number {
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
