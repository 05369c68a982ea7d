import {
  type BuiltImage,
  buildImage,
  buildLayer,
  loopbackCertificate,
  startWebhookReceiver,
  type TestArrival,
  usualTestEngine,
} from "@plimsoll/testing";
import { expect, vi } from "vitest";
import { signToken } from "../../../packages/server/src/serve/open-services.ts";
import { type Answered, type Asked, exchange, exchangeOver } from "../exchange.ts";
import { countSeenOperations, putNotificationSet } from "../notification-set.ts";
import { debianImage } from "../sample-image.ts";
import { loadTracker, startTestService, type TestService } from "../scanner-service.ts";
import { collectSamples, type Samples } from "./samples.ts";

const tracker = { openssl: { "CVE-2024-0001": { fixed: "3.0.11-1~deb12u2", urgency: "high" } } };
const debianPackages = ["libssl3 3.0.11-1~deb12u1 openssl", "zlib1g 1:1.2.13 zlib"];
const key = Buffer.from("thirty-two bytes of a shared key");

/** A component of the OpenAPI document. */
export interface PublishedSchema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly anyOf?: unknown;
  readonly items?: unknown;
  readonly pattern?: string;
}

/** The OpenAPI document that a running service has. */
export interface PublishedApi {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, PublishedSchema>> };
}

/** A running service with a bit of everything, and a second one that asks for tokens and has called a webhook. */
export interface StatementsWorld extends AsyncDisposable {
  readonly service: TestService;
  readonly image: BuiltImage;
  readonly digest: string;
  /** The answer to the submission of the image. */
  readonly submitted: Answered;
  /** Notification sets: of three notifications each. */
  readonly sets: readonly [string, string];
  /** Update operations, the newest first. */
  readonly refs: readonly string[];
  readonly published: PublishedApi;
  readonly samples: Samples;
  /** Asks the service. */
  ask(path: string, asked?: Asked): Promise<Answered>;
  /** Submits what need not be a manifest. */
  submit(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  /** Asks the service that wants tokens. */
  askGuarded(path: string, asked?: { readonly token?: string; readonly method?: string }): Promise<Answered>;
  /** A token for it. */
  tokenOf(issuer: string, secret?: Uint8Array): Promise<string>;
  /** What the second service has sent to the webhook. */
  readonly delivered: { readonly mediaType: string; readonly body: Readonly<Record<string, string>> };
}

/** Opens the world of the statements; the first service is asked as requests arrive in life. */
export async function openStatementsWorld(arrival: TestArrival): Promise<StatementsWorld> {
  await using resources = new AsyncDisposableStack();
  const { location } = resources.use(await usualTestEngine.create());
  for (const urgency of ["low", "medium"]) await loadTracker(location, { zlib: { "CVE-2023-45853": { urgency } } });
  await loadTracker(location, { ...tracker, zlib: { "CVE-2023-45853": { urgency: "medium" } } });
  const service = resources.use(await startTestService(location, tlsOf(arrival)));
  const send = exchangeOver(arrival);
  const ask = (path: string, asked: Asked = {}) => send(service.url + path, asked);
  const submit = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ask("/indexer/api/v1/index_report", {
      method: "POST",
      body,
      headers: { "content-type": "application/vnd.scanner.manifest.v1+json", ...headers },
    });
  const image = await debianImage(debianPackages.slice(0, 1), debianPackages);
  const manifest = service.manifestOf(image);
  const submitted = await submit(manifest);
  const alpine = await alpineImage();
  await submit(service.manifestOf(alpine));
  const sets = await putSets(location, image.digest);
  const guarded = await openGuarded(resources);
  const published = JSON.parse((await ask("/openapi/v1")).text) as PublishedApi;
  const samples = await collectSamples(ask, {
    manifest,
    submitted,
    digests: [image.digest, alpine.digest],
    set: sets[0],
  });
  const refs = samples.update_operation.map(({ ref }) => String(ref));
  const { body } = guarded.delivered;
  const owned = resources.move();
  return {
    ...{ service, image, digest: image.digest, submitted, sets, refs, published, ask, submit, ...guarded },
    samples: { ...samples, notification_webhook: [body] },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function tlsOf({ transport }: TestArrival) {
  const { certFile: certificate, keyFile } = loopbackCertificate();
  return transport === "HTTP/1.1" ? {} : { tls: { certificate, key: keyFile } };
}

/** An image whose packages come from a repository that is named. */
async function alpineImage(): Promise<BuiltImage> {
  const layer = await buildLayer({
    "etc/os-release":
      'ID=alpine\nVERSION=3.20.1\nVERSION_ID=3.20.1\nNAME="Alpine Linux"\nPRETTY_NAME="Alpine Linux v3.20"\n',
    "etc/apk/repositories": "https://dl-cdn.alpinelinux.org/alpine/v3.20/main\n",
    "lib/apk/db/installed": "P:musl\nV:1.2.5-r0\nA:x86_64\no:musl\n\n",
  });
  return buildImage({ layers: [layer] });
}

async function putSets(location: string, digest: string): Promise<readonly [string, string]> {
  const sets = ["0b0e0000-0000-4000-8000-000000000001", "0b0e0000-0000-4000-8000-000000000002"] as const;
  const more = {
    fixed_in_version: "3.0.12",
    description: "It leaks.",
    links: "https://example.com/1 https://example.com/2",
    distribution: { id: "1", did: "debian", version_id: "12" },
  };
  for (const set of sets)
    await putNotificationSet(location, { id: set, manifest: digest, names: ["CVE-1", "CVE-2", "CVE-3"], more });
  return sets;
}

interface GuardedRequest {
  readonly token?: string;
  readonly method?: string;
  readonly body?: unknown;
}

/** A service with a key whose webhook has been called once. */
async function openGuarded(resources: AsyncDisposableStack) {
  const { location } = resources.use(await usualTestEngine.create());
  const receiver = resources.use(await startWebhookReceiver());
  await loadTracker(location, { zlib: { "CVE-2023-45853": { urgency: "medium" } } });
  const guarded = resources.use(
    await startTestService(location, {
      auth: { key, issuers: ["client"] },
      notifications: {
        delivery: { kind: "webhook", target: receiver.url },
        callback: "http://scanner.example/notifier/api/v1/notification",
        mode: "full",
        pollPeriodSeconds: 1,
      },
    }),
  );
  const tokenOf = (issuer: string, secret: Uint8Array = key) => signToken(Buffer.from(secret), issuer, new Date());
  const askGuarded = (path: string, { token = "", method = "GET", body }: GuardedRequest = {}) =>
    exchange(guarded.url + path, { method, body, headers: token === "" ? {} : { authorization: token } });
  const image = guarded.manifestOf(await debianImage(debianPackages));
  await askGuarded("/indexer/api/v1/index_report", {
    token: `Bearer ${await tokenOf("client")}`,
    method: "POST",
    body: image,
  });
  await vi.waitFor(async () => expect(await countSeenOperations(location)).toBe(1), { timeout: 20_000, interval: 50 });
  await loadTracker(location, { ...tracker, zlib: { "CVE-2023-45853": { urgency: "medium" } } });
  await receiver.called(1);
  const [call] = receiver.calls;
  const delivered = { mediaType: String(call?.headers["content-type"]), body: JSON.parse(call?.body ?? "{}") };
  return { askGuarded, tokenOf, delivered };
}
