import type { Engine } from "@plimsoll/core";
import { openScanner } from "@plimsoll/scanner";
import { defaultServiceSettings, type ServiceSettings, startServing } from "@plimsoll/server/serve";
import { type BuiltImage, type FeedServer, startFeedServer } from "@plimsoll/testing";
import { pino } from "pino";
import { debianTracker } from "./sample-image.ts";
import { tempFolder } from "./temp-folder.ts";

/** A running service of a test, and a server that layers come from. */
export interface TestService extends AsyncDisposable {
  /** Where the API is. */
  readonly url: string;
  readonly healthUrl: string;
  readonly layers: FeedServer;
  /** What a client submits of an image; its layers are served from now on. */
  manifestOf(image: BuiltImage): object;
}

/** Starts a service on a database; it may fetch layers from this host. */
export async function startTestService(
  database: string,
  settings: Partial<ServiceSettings> = {},
  engine?: Engine,
): Promise<TestService> {
  await using resources = new AsyncDisposableStack();
  const layers = resources.use(await startFeedServer());
  const logger = pino({ level: "silent" });
  const serving = resources.use(
    await startServing(
      { ...testSettings, database, ...settings },
      { logger, clock: { now: () => Date.now() }, engine },
    ),
  );
  const owned = resources.move();
  return {
    url: serving.address,
    healthUrl: serving.healthAddress,
    layers,
    manifestOf: (image) => submittedManifest(image, layers),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Any port, this host's layers, small limits. */
export const testSettings = {
  ...defaultServiceSettings,
  port: 0,
  healthPort: 0,
  maxBodyBytes: 1024 * 1024,
  reportCacheSeconds: 60,
  layerNetworks: ["127.0.0.1"],
};

/** Loads a Debian tracker document into the database; `at` is when, in epoch milliseconds, where it is not now. */
export async function loadTracker(
  database: string,
  sources: Parameters<typeof debianTracker>[0],
  at?: number,
): Promise<void> {
  using folder = tempFolder();
  const debian = folder.write("tracker.json", debianTracker(sources));
  await using scanner = await openScanner({ db: database, clock: at === undefined ? undefined : { now: () => at } });
  await scanner.updateFeeds({ only: ["debian"], locations: { debian } });
}

/** What a client submits of an image, whose layers a server has from now on. */
export function submittedManifest(image: BuiltImage, server: FeedServer): object {
  const layers = image.layers.map(({ digest, bytes, mediaType }) => {
    server.answer(`/${digest}`, { body: bytes });
    return { hash: digest, uri: `${server.url}${digest}`, headers: { "X-Layer": ["yes"] }, media_type: mediaType };
  });
  return { hash: image.digest, layers };
}
