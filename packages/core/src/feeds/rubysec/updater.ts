import type { Updater } from "../../plugins/updater.ts";
import { databaseUpdater } from "../shared/database-updater.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { rubysecAdvisories } from "./advisory.ts";

/**
 * Imports the Ruby advisory database: from its archive, a folder of its documents or one document.
 * @see https://github.com/rubysec/ruby-advisory-db
 */
export const rubysecUpdater: Updater = databaseUpdater({
  name: "rubysec",
  location: "https://codeload.github.com/rubysec/ruby-advisory-db/tar.gz/refs/heads/master",
  scope: { partBytes: { RubyGems: 0 }, sharedBytes: 2e6 },
  revision: 2,
  wants: (name) => /\.ya?ml$/.test(name),
  reader: () => (document) => {
    const record = parseRecord(document.bytes, document.location);
    return recordItems(document.location, (readPart) => rubysecAdvisories(record, document.name, readPart));
  },
});
