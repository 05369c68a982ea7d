/**
 * A worker whose jobs write a note each, and end with it. It tells its parent when one begins.
 * Arguments: the database's location; the number of the job in which it stands still until it is killed, none where absent. It ends in
 * order when it is told to.
 */
import { openStore, startJobWorker, systemTime } from "@plimsoll/store";
import { type NoteTables, noteJob, noteMigrations } from "./note-jobs.ts";

const [location = "", last = "Infinity"] = process.argv.slice(2);
let begun = 0;

/** Its parent may be slow to kill it: without standing still it would take the jobs that another worker's life is counted by. */
function onBegin(): void {
  process.send?.("begun", () => {
    if (begun >= Number(last)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
  begun++;
}

process.once("SIGTERM", () => process.exit());
const store = await openStore<NoteTables>(location, { migrations: [noteMigrations] });
startJobWorker({
  store,
  leaseSeconds: 1,
  pollMs: 20,
  jobs: [noteJob.withContext({ store, onBegin })],
  ...systemTime,
});
