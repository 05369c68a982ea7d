/**
 * A worker whose jobs write a note each, and end with it. It tells its parent when one begins.
 * Argument: the database's location. It ends in order when it is told to.
 */
import { openStore, startJobWorker, systemTime } from "@plimsoll/store";
import { type NoteTables, noteJob, noteMigrations } from "./note-jobs.ts";

const [location = ""] = process.argv.slice(2);
process.once("SIGTERM", () => process.exit());
const store = await openStore<NoteTables>(location, { migrations: [noteMigrations] });
startJobWorker({
  store,
  leaseSeconds: 1,
  pollMs: 20,
  jobs: [noteJob.withContext({ store, onBegin: () => process.send?.("begun") })],
  ...systemTime,
});
