import { open } from "node:fs/promises";
import { fileProblem } from "@plimsoll/core";
import { UsageError } from "../cli/exit-code.ts";

/** A secret that was made since the one of the source cannot be read. */
export interface NewCredential {
  readonly kind: "user" | "robot" | "notification";
  /** Of the user or robot; of a notification the repository and its title. */
  readonly name: string;
  readonly secret: string;
}

/** Where new secrets are written. */
export interface CredentialFile {
  readonly path: string;
  /** Adds one; it is on the disk when this resolves. */
  add(credential: NewCredential): Promise<void>;
}

/** Only its owner may read the file. */
const ownerOnly = 0o600;

/**
 * A file of secrets, each a line of JSON, that is made when the first is written and added to by later runs.
 * @throws UsageError when the file that is there can be read by others, or it cannot be written
 */
export function credentialFile(path: string): CredentialFile {
  return {
    path,
    async add(credential) {
      try {
        await using file = await open(path, "a", ownerOnly);
        const { mode } = await file.stat();
        if ((mode & 0o077) !== 0 && process.platform !== "win32")
          throw new UsageError(`--credentials: ${path}: others may read it; expected mode 600, found ${octal(mode)}`);
        await file.appendFile(`${JSON.stringify(credential)}\n`);
        await file.sync();
      } catch (error) {
        if (error instanceof UsageError) throw error;
        throw new UsageError(`--credentials: ${fileProblem(path, "written", error)}`, { cause: error });
      }
    },
  };
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8);
}
