/**
 * The resource file of an Erlang application, of which two members are read:
 *
 * ```
 * resource = "{" "application" "," name "," "[" … "{" "vsn" "," string "}" … "]" "}" "."      "%" begins a comment
 * ```
 * @see https://www.erlang.org/doc/apps/kernel/app.html
 */
import { ownText } from "../linux/text.ts";

/** An application. */
export interface ErlangApp {
  readonly name: string;
  /** Empty if the file does not have it as a plain text. */
  readonly version: string;
}

const head = /^\s*\{\s*application\s*,\s*'?([\w@]+)'?\s*,/;
const vsn = /\{\s*vsn\s*,\s*"([^"]*)"/;
const decoder = new TextDecoder();

/** Parses a resource file; undefined if it is not one. */
export function parseApp(bytes: Uint8Array): ErlangApp | undefined {
  const text = decoder.decode(bytes).replace(/^[ \t]*%.*$/gm, "");
  const [, name] = head.exec(text) ?? [];
  if (name === undefined) return undefined;
  const [, version = ""] = vsn.exec(text) ?? [];
  return { name: ownText(name), version: ownText(version) };
}
