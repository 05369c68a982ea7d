import type { FileOwners } from "../../plugins/detector.ts";
import { decodeText } from "../linux/text.ts";

const place = /^var\/lib\/pacman\/local\/([^/]+)-[^-/]+-[^-/]+\/files$/;

/** Lists the files that packages of pacman own, from each package's list beside its description. */
export const pacmanOwners: FileOwners = {
  name: "pacman-owners",
  revision: 2,
  names: { endings: ["/files"] },
  wants: ({ path }) => path.endsWith("/files") && place.test(path),
  *owners(files) {
    for (const { path, bytes } of files) {
      const owner = place.exec(path)?.[1];
      if (owner !== undefined) yield { paths: [...listedFiles(decodeText(bytes))], owner, listedIn: path };
    }
  },
};

/** The files from `%FILES%` to the next blank line, without folders, which end with a slash. */
function* listedFiles(text: string): Iterable<string> {
  let isListing = false;
  for (const line of text.split("\n")) {
    if (line === "%FILES%") isListing = true;
    else if (line === "") isListing = false;
    else if (isListing && !line.endsWith("/")) yield line;
  }
}
