import { type IndexerTables, indexerMigrations } from "@plimsoll/indexer";
import { type MatcherTables, matcherMigrations } from "@plimsoll/matcher";
import { type NotifierTables, notifierMigrations } from "@plimsoll/notifier";
import { openStore, type Store } from "@plimsoll/store";
import {
  type BuiltImage,
  type FeedServer,
  startFeedServer,
  startWebhookReceiver,
  type WebhookReceiver,
} from "@plimsoll/testing";
import { type Answered, exchange } from "./exchange.ts";
import { Reaper, type ReaperOptions } from "./reaper.ts";
import { ServiceProcess, type SettingTexts } from "./service-process.ts";
import { trackerPath, updatingFrom } from "./tracker-feed.ts";

/** The database of a cluster. */
export type ClusterStore = Store<IndexerTables & MatcherTables & NotifierTables>;

/** Two indexers, two matchers and two notifiers, each in a process of its own, on one database. */
export interface ScannerCluster extends AsyncDisposable {
  readonly processes: readonly ServiceProcess[];
  readonly indexers: readonly ServiceProcess[];
  readonly store: ClusterStore;
  readonly receiver: WebhookReceiver;
  /** Kills among the processes once it is released, also in the middle of a request for a layer or a feed. */
  readonly reaper: Reaper;
  /** What the Debian tracker says from now on. @param version is to be another for another text */
  publish(tracker: string, version: number): void;
  /** Has an image indexed by whichever indexer lives long enough to answer. @param turn which of them is asked first */
  submit(image: BuiltImage, turn: number): Promise<Answered>;
}

/** Starts a cluster on a database. Feeds and updates are looked at every second. */
export async function startCluster(database: string, options: ReaperOptions): Promise<ScannerCluster> {
  await using resources = new AsyncDisposableStack();
  const reaper = new Reaper(options);
  const [indexers, matchers, notifiers]: ServiceProcess[][] & { length: 3 } = [[], [], []];
  const server = resources.use(
    await startFeedServer((path) => reaper.event(path === trackerPath ? matchers : undefined)),
  );
  const receiver = resources.use(
    await startWebhookReceiver((calls) => {
      // The first notifier that delivers a set is killed before it gets the confirmation.
      if (calls <= 2) for (const notifier of notifiers) reaper.kill(notifier);
    }),
  );
  const start = async (mode: string, settings: SettingTexts) =>
    resources.use(await ServiceProcess.start({ database, mode, offline: "1", ...settings }));
  for (const _ of [1, 2]) {
    const indexer = await start("indexer", { layerNetworks: "127.0.0.1" });
    const matcher = await start("matcher", { indexerAddress: indexer.url, offline: "0", ...updatingFrom(server) });
    const addresses = { indexerAddress: indexer.url, matcherAddress: matcher.url };
    notifiers.push(await start("notifier", { ...addresses, ...notifying, webhookTarget: receiver.url }));
    indexers.push(indexer);
    matchers.push(matcher);
  }
  const processes = [...indexers, ...matchers, ...notifiers];
  await Promise.all(processes.map((one) => one.listening()));
  const migrations = [indexerMigrations, matcherMigrations, notifierMigrations];
  const store: ClusterStore = resources.use(await openStore(database, { migrations }));
  resources.defer(() => reaper.retire());
  const owned = resources.move();
  return {
    processes,
    indexers,
    store,
    receiver,
    reaper,
    publish: (body, version) => server.answer(trackerPath, { body, etag: `"${version}"` }),
    submit: (image, turn) => submitUntilAnswered({ indexers, server, reaper }, image, turn),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const notifying = {
  notificationCallback: "https://scanner.example/notifier/api/v1/notification",
  notificationMode: "full",
  pollPeriodSeconds: "1",
};

interface Submitting {
  readonly indexers: readonly ServiceProcess[];
  readonly server: FeedServer;
  readonly reaper: Reaper;
}

async function submitUntilAnswered(
  { indexers, server, reaper }: Submitting,
  { digest: hash, layers }: BuiltImage,
  turn: number,
): Promise<Answered> {
  for (const { digest, bytes } of layers) server.answer(`/${digest}`, { body: bytes });
  const body = { hash, layers: layers.map(({ digest }) => ({ hash: digest, uri: server.url + digest })) };
  const headers = { "content-type": "application/json" };
  for (let attempt = turn; ; attempt += 1) {
    const { url } = await findListening(indexers, attempt);
    const asked = exchange(`${url}/indexer/api/v1/index_report`, { method: "POST", body, headers });
    const answer = await asked.catch(() => undefined); // it was killed
    reaper.event();
    if (answer !== undefined) return answer;
  }
}

/** The next one in order if it listens, otherwise the first one that does. */
async function findListening(processes: readonly ServiceProcess[], turn: number): Promise<ServiceProcess> {
  const next = processes[turn % processes.length];
  if (next?.isListening) return next;
  return Promise.any(processes.map((one) => one.listening().then(() => one)));
}
