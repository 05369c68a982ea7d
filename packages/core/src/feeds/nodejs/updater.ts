import type { Updater } from "../../plugins/updater.ts";
import { databaseUpdater } from "../shared/database-updater.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { nodejsAdvisories } from "./advisory.ts";

/**
 * Imports the npm advisories of the Node.js Security Working Group: from its archive, a folder of its documents or one document. Documents
 * under `core/` are about the program `node`, not about npm packages, and are skipped.
 * @see https://github.com/nodejs/security-wg
 */
export const nodejsUpdater: Updater = databaseUpdater({
  name: "nodejs",
  location: "https://codeload.github.com/nodejs/security-wg/tar.gz/refs/heads/main",
  scope: { partBytes: { npm: 0 }, sharedBytes: 2e6 },
  revision: 2,
  wants: (name) => (/(?:^|\/)core\//.test(name) ? "other-ecosystem" : name.endsWith(".json")),
  reader: () => (document) => {
    const record = parseRecord(document.bytes, document.location);
    return recordItems(document.location, (readPart) => nodejsAdvisories(record, readPart));
  },
});
