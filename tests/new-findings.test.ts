/** From an update of feeds to the notifications of a repository that holds the image, with one server and with two. */
import { engineTitle, startWebhookReceiver, testEngines, type WebhookReceiver } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { pushImage } from "./support/push-image.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker } from "./support/scanner-service.ts";
import { basic, signUp, startScanningRegistry } from "./support/scanning-registry.ts";
import { tempFolder } from "./support/temp-folder.ts";

/** The vulnerabilities that a receiver was told of. */
function namesTo({ calls }: WebhookReceiver): readonly string[] {
  return calls.map(({ body }) => (JSON.parse(body) as { vulnerability: { id: string } }).vulnerability.id).sort();
}

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
        started.push(resources.use(await startScanningRegistry(database.location, folder.path)));
      const address = started[0]?.address ?? "";
      const call = await signUp(address);
      const image = await debianImage(["zlib 1", "openssl 1"]);
      await pushImage(`${address}/v2/alice/app`, basic, { image, reference: "v1" });
      const wanted = { event: "vulnerability_found", method: "webhook" };
      const path = "/repository/alice/app/notification/";
      await call("POST", path, { ...wanted, config: { url: all.url }, eventConfig: {} });
      await call("POST", path, { ...wanted, config: { url: high.url }, eventConfig: { level: "1" } });
      const told = () => [namesTo(all), namesTo(high)];
      const security = async () => {
        const report = `/repository/alice/app/manifest/${image.digest}/security?vulnerabilities=true`;
        return JSON.stringify((await call("GET", report)).body);
      };

      const zlib = { "CVE-2023-0001": { urgency: "high" }, "CVE-2023-0002": { urgency: "low" } } as const;
      await loadTracker(database.location, { zlib });
      await expect.poll(told).toEqual([["CVE-2023-0001"], ["CVE-2023-0001"]]);
      const openssl = { "CVE-2024-0003": { urgency: "high" }, "CVE-2024-0004": { urgency: "low" } } as const;
      await loadTracker(database.location, { zlib, openssl });
      const expected = [
        ["CVE-2023-0001", "CVE-2024-0003", "CVE-2024-0004"],
        ["CVE-2023-0001", "CVE-2024-0003"],
      ];
      await expect.poll(told).toEqual(expected);
      const report = await security();
      await loadTracker(database.location, { zlib });
      await expect.poll(security).not.toContain("CVE-2024-0003");

      expect(report).toContain("CVE-2024-0004");
      expect(told()).toEqual(expected);
    },
  );
});
