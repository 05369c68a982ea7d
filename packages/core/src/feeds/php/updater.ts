import type { Updater } from "../../plugins/updater.ts";
import { databaseUpdater } from "../shared/database-updater.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { phpAdvisories } from "./advisory.ts";

/**
 * Imports the PHP security advisories database: from its archive, a folder of its documents or one document.
 * @see https://github.com/FriendsOfPHP/security-advisories
 */
export const phpUpdater: Updater = databaseUpdater({
  name: "php",
  location: "https://codeload.github.com/FriendsOfPHP/security-advisories/tar.gz/refs/heads/master",
  scope: { partBytes: { Packagist: 0 }, sharedBytes: 2e6 },
  revision: 2,
  wants: (name) => name.endsWith(".yaml"),
  reader: () => (document) => {
    const record = parseRecord(document.bytes, document.location);
    return recordItems(document.location, (readPart) => phpAdvisories(record, document.name, readPart));
  },
});
