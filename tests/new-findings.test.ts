/** From an update of feeds to the notifications of a repository that holds the image, with one server and with two. */
import { defaultRegistrySettings } from "@plimsoll/registry-api/settings";
import { startServing } from "@plimsoll/server/serve";
import { engineTitle, startWebhookReceiver, testEngines, type WebhookReceiver } from "@plimsoll/testing";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { pushImage } from "./support/push-image.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker, testSettings } from "./support/scanner-service.ts";
import { tempFolder } from "./support/temp-folder.ts";

async function startServer(database: string, folder: string) {
  const { host: _, ...defaults } = defaultRegistrySettings;
  const settings = { ...defaults, allowedInternalHosts: ["127.0.0.1"] };
  const storage = { kind: "files", folder: `${folder}/blobs` } as const;
  const registry = { settings, secretFile: `${folder}/secret`, storage };
  const parts = { logger: pino({ level: "silent" }), clock: { now: () => Date.now() } };
  return startServing({ ...testSettings, database, registry, registryPollSeconds: 1 }, parts);
}

/** Signs up the first user. @returns calls of the management API in her name */
async function signUp(address: string) {
  const send = async (method: string, path: string, body?: object, token?: string) => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${address}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, never>;
  };
  const first = { username: "alice", password: "sesame-open", email: "alice@example.com", access_token: true };
  const { access_token } = await send("POST", "/user/initialize", first);
  return (method: string, path: string, body?: object) => send(method, path, body, access_token);
}

/** The vulnerabilities that a receiver was told of. */
function namesTo({ calls }: WebhookReceiver): readonly string[] {
  return calls.map(({ body }) => (JSON.parse(body) as { vulnerability: { id: string } }).vulnerability.id).sort();
}

const basic = `Basic ${Buffer.from("alice:sesame-open").toString("base64")}`;
const engines = testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("notifications of new vulnerabilities, on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined).each([1, 2])(
    "tell once what an update of feeds finds in an image that was pushed before, with %i servers",
    async (servers) => {
      await using database = await engine.create();
      await using all = await startWebhookReceiver();
      await using high = await startWebhookReceiver();
      using folder = tempFolder();
      await using resources = new AsyncDisposableStack();
      const started = [];
      for (let each = 0; each < servers; each++)
        started.push(resources.use(await startServer(database.location, folder.path)));
      const address = started[0]?.address ?? "";
      const call = await signUp(address);
      const image = await debianImage(["zlib 1", "openssl 1"]);
      await pushImage(`${address}/v2/alice/app`, basic, image, "v1");
      const wanted = { event: "vulnerability_found", method: "webhook" };
      const path = "/repository/alice/app/notification/";
      await call("POST", path, { ...wanted, config: { url: all.url }, eventConfig: {} });
      await call("POST", path, { ...wanted, config: { url: high.url }, eventConfig: { level: "1" } });
      const told = () => [namesTo(all), namesTo(high)];
      const security = async () => {
        const report = `/repository/alice/app/manifest/${image.digest}/security?vulnerabilities=true`;
        return JSON.stringify(await call("GET", report));
      };

      const zlib = { "CVE-2023-0001": { urgency: "high" }, "CVE-2023-0002": { urgency: "low" } } as const;
      await loadTracker(database.location, { zlib });
      await expect.poll(told, { timeout: 30_000 }).toEqual([["CVE-2023-0001"], ["CVE-2023-0001"]]);
      const openssl = { "CVE-2024-0003": { urgency: "high" }, "CVE-2024-0004": { urgency: "low" } } as const;
      await loadTracker(database.location, { zlib, openssl });
      const expected = [
        ["CVE-2023-0001", "CVE-2024-0003", "CVE-2024-0004"],
        ["CVE-2023-0001", "CVE-2024-0003"],
      ];
      await expect.poll(told, { timeout: 30_000 }).toEqual(expected);
      const report = await security();
      await loadTracker(database.location, { zlib });
      await expect.poll(security, { timeout: 10_000 }).not.toContain("CVE-2024-0003");

      expect(report).toContain("CVE-2024-0004");
      expect(told()).toEqual(expected);
    },
  );
});
