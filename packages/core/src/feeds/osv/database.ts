import type { FeedScope, Updater } from "../../plugins/updater.ts";
import { databaseUpdater } from "../shared/database-updater.ts";
import type { WantsDocument } from "../shared/feed-text.ts";
import { readRecords } from "./items.ts";
import type { OsvSource } from "./record.ts";

/** A database whose documents are OSV records, in JSON or YAML. */
export interface OsvDatabase {
  /** The name of the feed. */
  readonly name: string;
  /** The address of its archive. */
  readonly location: string;
  readonly scope: FeedScope;
  /** Whether a document may be a record, by its name. */
  readonly isRecord: WantsDocument;
  readonly wants: OsvSource["wants"];
  /** Increased when a change alters the advisories of the same records, in this database only. */
  readonly revision?: number;
}

/** Increased when a change alters the advisories of the same records, in all databases. */
const commonRevision = 4;

/** The updater of a database of OSV records. @see https://ossf.github.io/osv-schema/ */
export function osvDatabaseUpdater({
  name,
  location,
  scope,
  isRecord,
  wants,
  revision = commonRevision,
}: OsvDatabase): Updater {
  const source = { updater: name, wants };
  return databaseUpdater({ name, location, scope, revision, wants: isRecord, reader: () => readRecords(source) });
}
