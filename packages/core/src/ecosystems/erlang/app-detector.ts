import { ScanError } from "../../errors.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { parseApp } from "./app-file.ts";

const place = /(?:^|\/)ebin\/[^/]+\.app$/;
/** The limit for a resource file, which lists the modules of one application. */
const maxBytes = 4 * 1024 ** 2;

/**
 * Finds installed applications of Erlang and Elixir by their resource files.
 * @param wantsName selects applications by name, which is the name of the file
 */
export function appDetector(name: string, wantsName: (name: string) => boolean): FileDetector {
  return {
    name,
    revision: 1,
    names: { endings: [".app"] },
    wants: ({ path }: FileEntry) => path.endsWith(".app") && place.test(path) && wantsName(nameOf(path)),
    *detect(file: LayerFile): Iterable<Finding> {
      if (file.bytes.length > maxBytes) {
        throw new ScanError("malformed_package_db", `expected at most ${maxBytes} bytes, found ${file.bytes.length}`);
      }
      const found = parseApp(file.bytes);
      if (found === undefined) yield unreadable(file.path, "expected an Erlang application, found none");
      else yield provenPackage(file, found);
    },
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".app".length);
}
