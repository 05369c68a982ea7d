import { textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";

/** What documents write for what is not known, and for nothing. Tools also write it into forms that leave such members out. */
const notStated = /^(?:noassertion|none|\(none\))$/i;

/** The text of a member of a document; empty if it only says that nothing is stated. */
export function statedText(value: Json | undefined): string {
  const text = textOf(value);
  return notStated.test(text.trim()) ? "" : text;
}
