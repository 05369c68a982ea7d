import { open } from "node:fs/promises";
import { fileProblem } from "@plimsoll/core/internal";
import { UsageError } from "../cli/exit-code.ts";

/** A new secret that replaces one of the source, which cannot be read. */
export interface NewCredential {
  readonly kind: "user" | "robot" | "notification";
  /** The name of the user or robot; for a notification, its repository, event, method and title. */
  readonly name: string;
  readonly secret: string;
}

/** The file for new secrets. */
export interface CredentialFile {
  readonly path: string;
  /** Appends a secret. It is on the disk when the promise resolves. */
  add(credential: NewCredential): Promise<void>;
}

/** Only its owner may read the file. */
const ownerOnly = 0o600;

/**
 * A file of secrets, each a line of JSON. The first secret creates it, and later runs append to it.
 * @throws UsageError if other users can read an existing file, or it cannot be written
 */
export function credentialFile(path: string): CredentialFile {
  return {
    path,
    async add(credential) {
      try {
        await using file = await open(path, "a", ownerOnly);
        const { mode } = await file.stat();
        if ((mode & 0o077) !== 0 && process.platform !== "win32")
          throw new UsageError(
            `--credentials: ${path}: other users can read it; expected mode 600, found ${octal(mode)}`,
          );
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
