/** A custom transport with which a notifier sends the URL of a set of notifications, or the notifications themselves. */
import type { VulnerabilityJson } from "@plimsoll/core/report";
import {
  type AffectedSource,
  createNotificationService,
  createNotifier,
  type Delivery,
  type NotifierTables,
  notifierMigrations,
  type Outcome,
  type Transport,
  type UpdateOperation,
  type UpdateSource,
} from "@plimsoll/notifier";
import { openStore, runDueJobs, systemTime } from "@plimsoll/store";

const hourMs = 3_600_000;
const manifest = `sha256:${"0".repeat(64)}`;
const vulnerability: VulnerabilityJson = {
  id: "1",
  name: "CVE-2024-0001",
  normalized_severity: "High",
  package: { id: "1", name: "zlib", version: "", kind: "SOURCE" },
};

/** Records its deliveries. The first one fails. */
class NotebookTransport implements Transport {
  readonly name = "notebook";
  readonly isDirect: boolean;
  readonly attempts: string[] = [];
  readonly told: string[] = [];

  constructor({ isDirect }: { readonly isDirect: boolean }) {
    this.isDirect = isDirect;
  }

  async deliver(delivery: Delivery, { signal }: { readonly signal: AbortSignal }): Promise<Outcome> {
    signal.throwIfAborted();
    this.attempts.push(delivery.setId);
    if (this.attempts.length === 1) return { kind: "retry", reason: "the notebook is closed" };
    if (!this.isDirect) this.told.push(delivery.callback);
    else for await (const list of delivery.lists(100)) this.told.push(...list.map((each) => each.vulnerability.name));
    return { kind: "delivered" };
  }
}

/** A fake matcher: the second operation of its updater adds the vulnerability. */
class TwoOperations implements UpdateSource {
  readonly #operations: UpdateOperation[] = [];

  addOperation(): void {
    const ref = `00000000-0000-4000-8000-00000000000${this.#operations.length}`;
    this.#operations.unshift({ ref, updater: "debian", date: new Date(this.#operations.length).toISOString() });
  }

  async updateOperations() {
    return { debian: this.#operations };
  }

  async updateDiff() {
    return { added: [vulnerability], removed: [] };
  }
}

/** A fake indexer: one image has the package. */
const affected: AffectedSource = {
  async *listAffected() {
    yield { ids: [vulnerability.id], manifests: [manifest] };
  },
};

/** Checks what the transport delivered about the second operation, and the set that can be read. */
async function tell(transport: NotebookTransport) {
  await using store = await openStore<NotifierTables>(":memory:", { migrations: [notifierMigrations] });
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => now };
  const updates = new TwoOperations();
  const callback = "https://scanner.example.com/notifier/api/v1/notification/";
  const notifier = createNotifier({ store, updates, affected, transport, callback, clock });
  const run = () => runDueJobs({ store, jobs: notifier.jobs, ...systemTime, clock });
  updates.addOperation();
  await notifier.schedule();
  await run(); // the first operation of an updater is the baseline
  updates.addOperation();
  now += 7 * hourMs;
  await run();
  now += hourMs;
  await run(); // the failed delivery is retried
  const service = createNotificationService(store);
  const [setId = ""] = transport.attempts;
  const { notifications } = await service.getPage(setId);
  await service.deleteSet(setId);
  return { setId, read: notifications, left: (await service.getPage(setId)).notifications };
}

for (const isDirect of [false, true]) {
  const transport = new NotebookTransport({ isDirect });
  const { setId, read, left } = await tell(transport);
  const told = isDirect ? [vulnerability.name] : [`https://scanner.example.com/notifier/api/v1/notification/${setId}`];
  const kept = isDirect ? 0 : 1; // a set that was sent directly is removed
  const isRight =
    JSON.stringify([transport.attempts, transport.told]) === JSON.stringify([[setId, setId], told]) &&
    read.length === kept &&
    read.every((each) => each.manifest === manifest && each.reason === "added") &&
    left.length === 0;
  if (!isRight) throw new Error(JSON.stringify({ ...transport, setId, read, left }));
  console.log(
    isDirect ? "direct" : "by callback",
    transport.told.length,
    "after",
    transport.attempts.length,
    "attempts",
  );
}
