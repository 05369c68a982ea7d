import type { Readable } from "node:stream";
import { UsageError } from "./exit-code.ts";

/** No password is longer. */
const maxPasswordLength = 65_536;

/** The password on standard input, without the line's end. @throws UsageError */
export async function readPassword(stdin: Readable): Promise<string> {
  let password = "";
  for await (const chunk of stdin) {
    password += String(chunk);
    if (password.length > maxPasswordLength) throw new UsageError("--password-stdin: expected a password");
  }
  return password.replace(/\r?\n$/, "");
}
