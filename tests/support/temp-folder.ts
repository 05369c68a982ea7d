import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that lasts as long as the value. */
export interface TempFolder extends Disposable {
  readonly path: string;
  /** Writes a file and returns its path. */
  write(name: string, content: string | Uint8Array): string;
}

/**
 * Makes a new, empty folder.
 * @param parent where; for programs of others that do not take every path, other than the system's folder
 */
export function tempFolder(parent = tmpdir()): TempFolder {
  const path = mkdtempSync(join(parent, "plimsoll-test-"));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
