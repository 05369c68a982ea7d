import { textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { saysNothing } from "../model/package-details.ts";

/** The text of a member of a document; empty if it only says that nothing is stated. */
export function statedText(value: Json | undefined): string {
  const text = textOf(value);
  return saysNothing(text) ? "" : text;
}
