import { join } from "node:path";
import { runPlimsoll, testNow } from "./run-plimsoll.ts";
import { debianImage, debianTracker, ociArchive } from "./sample-image.ts";
import { type TempFolder, tempFolder } from "./temp-folder.ts";

/** What the command is tried on: a database with a small feed of Debian, and an image that it speaks of. */
export interface CommandWorld extends Disposable {
  readonly folder: TempFolder;
  /** The database. */
  readonly db: string;
  /** An archive of an image with openssl and zlib. */
  readonly image: string;
  /** The document of the feed. */
  readonly tracker: string;
}

/**
 * Makes the world, by the command itself.
 * @param now when the feed was updated: the real time, for tests that start programs, since these have the real clock
 */
export async function openCommandWorld(now = testNow): Promise<CommandWorld> {
  const folder = tempFolder();
  const db = join(folder.path, "plimsoll.db");
  const tracker = debianTracker({
    openssl: {
      "CVE-2024-0001": { fixed: "3.0.11-1~deb12u2", urgency: "high" },
      "CVE-2024-0002": { urgency: "unimportant" },
      "CVE-2024-0003": { fixed: "0", urgency: "high" },
    },
    zlib: { "CVE-2023-45853": { urgency: "medium" } },
  });
  const built = await debianImage(
    ["libssl3 3.0.11-1~deb12u1 openssl"],
    ["libssl3 3.0.11-1~deb12u1 openssl", "zlib1g 1:1.2.13.dfsg-1 zlib"],
  );
  const image = folder.write("image.tar", await ociArchive(built));
  const feed = folder.write("tracker.json", tracker);
  const { code, stderr } = await runPlimsoll(["db", "update", "--db", db, "--feed", `debian=${feed}`], { now });
  if (code !== 0 || stderr !== "") throw new Error(`plimsoll db update: ${code} ${stderr}`);
  return { folder, db, image, tracker, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
