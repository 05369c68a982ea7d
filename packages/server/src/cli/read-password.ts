import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { UsageError } from "./exit-code.ts";

/** The greatest length of a password, in UTF-16 code units. */
const maxPasswordLength = 65_536;

/** Reads a password from standard input, without its line end. @throws UsageError if it is too long */
export async function readPassword(stdin: Readable): Promise<string> {
  const decoder = new StringDecoder("utf8"); // a chunk may end within a character
  let password = "";
  for await (const chunk of stdin) {
    password += typeof chunk === "string" ? chunk : decoder.write(chunk);
    if (password.length > maxPasswordLength)
      throw new UsageError(`--password-stdin: expected a password, found more than ${maxPasswordLength} characters`);
  }
  return password.replace(/\r?\n$/, "");
}
