/** What an SBOM states that is attached to an image in our own registry: wherever vulnerabilities of images are shown, counted, told or judged. */
import { buildImage, buildLayer, engineTitle, startWebhookReceiver, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { attachSbom } from "./support/attach-sbom.ts";
import { pushImage } from "./support/push-image.ts";
import { loadTracker } from "./support/scanner-service.ts";
import { basic, signUp, startScanningRegistry } from "./support/scanning-registry.ts";
import { tempFolder } from "./support/temp-folder.ts";

const manifestType = "application/vnd.oci.image.manifest.v1+json";

const purl = "pkg:deb/debian/zlib@1?distro=debian-12";
const bom = JSON.stringify({
  ...{ bomFormat: "CycloneDX", specVersion: "1.6" },
  components: [{ type: "library", name: "zlib", version: "1", purl, publisher: "Mark Brown <broonie@debian.org>" }],
});

const attach = (repository: string, subject: string, document: string) =>
  attachSbom(repository, basic, { subject, document });

const engines = testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("an attached SBOM, on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined)("adds findings wherever findings are, and takes none away", async () => {
    await using database = await engine.create();
    await using receiver = await startWebhookReceiver();
    using folder = tempFolder();
    await using server = await startScanningRegistry(database.location, folder.path);
    const { address } = server;
    await loadTracker(database.location, { zlib: { "CVE-2023-0001": { urgency: "high" } } });
    const call = await signUp(address);
    const image = await buildImage({ layers: [await buildLayer({ "bin/app": "a program" })] });
    const repository = `${address}/v2/alice/app`;
    await pushImage(repository, basic, { image, reference: "v1" });
    const config = { url: receiver.url };
    const wanted = { event: "vulnerability_found", method: "webhook", config, eventConfig: {} };
    await call("POST", "/repository/alice/app/notification/", wanted);
    const path = `/repository/alice/app/manifest/${image.digest}/security`;
    const features = async () => (await call("GET", `${path}?vulnerabilities=true`)).body.data.Layer.Features;
    const severities = async () =>
      (await call("GET", "/repository/alice/app/tag/?severities=true")).body.tags[0].severities;
    expect(await features()).toEqual([]);

    const Sbom = await attach(repository, image.digest, bom);

    expect(await features()).toMatchObject([
      { Name: "zlib", Sbom, Purl: purl, Vulnerabilities: [{ Name: "CVE-2023-0001", Severity: "High" }] },
    ]);
    await expect.poll(severities).toMatchObject({ high: 1 });
    await expect.poll(() => receiver.calls.length).toBe(1);
    expect(JSON.parse(receiver.calls[0]?.body ?? "")).toMatchObject({ vulnerability: { id: "CVE-2023-0001" } });
    const affected = await call("GET", "/user/security/images?vulnerability=CVE-2023-0001");
    expect(JSON.stringify(affected.body)).toContain(image.digest);
    const download = await call("GET", `${path}/report?format=csv`);
    expect(download.body.document.content).toContain("CVE-2023-0001");
    const pullWith = async (rules: object) => {
      await call("PUT", "/repository/alice/app/pullgate", { pending: "deny", ...rules });
      const headers = { authorization: basic, accept: manifestType };
      const answer = await fetch(`${repository}/manifests/v1`, { headers });
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await pullWith({ severity: "High" })).toMatch(/^403 .*CVE-2023-0001/);

    const unreadable = await attach(repository, image.digest, "{}");

    const { Features, Problems } = (await call("GET", `${path}?vulnerabilities=true`)).body.data.Layer;
    expect(Features).toHaveLength(1);
    expect(Problems).toContainEqual({
      At: unreadable,
      Code: "attached_sbom",
      Message: expect.stringContaining("expected CycloneDX"),
    });
    expect(await pullWith({ severity: "Critical" })).toMatch(/^200 /);
  });

  it.skipIf(engine.skip !== undefined)(
    "is read in another thread if it is large, with the same result",
    async () => {
      await using database = await engine.create();
      using folder = tempFolder();
      await using server = await startScanningRegistry(database.location, folder.path);
      const { address } = server;
      await loadTracker(database.location, { zlib: { "CVE-2023-0001": { urgency: "high" } } });
      const call = await signUp(address);
      const repository = `${address}/v2/alice/app`;
      const [small, large] = await Promise.all(
        ["small", "large"].map(async (name) => {
          const image = await buildImage({ layers: [await buildLayer({ "bin/app": name })] });
          await pushImage(repository, basic, { image, reference: name });
          return { name, digest: image.digest };
        }),
      );
      if (small === undefined || large === undefined) throw new Error("two images were pushed");
      await attach(repository, small.digest, bom);
      const filler = "x".repeat(1024 * 1024);
      await attach(repository, large.digest, JSON.stringify({ ...JSON.parse(bom), filler }));
      await call("PUT", "/repository/alice/app/pullgate", { severity: "High" });
      const headers = { authorization: basic, accept: manifestType };
      const seen = async ({ name, digest }: { readonly name: string; readonly digest: string }) => {
        const path = `/repository/alice/app/manifest/${digest}`;
        const get = async (rest: string) => JSON.stringify((await call("GET", `${path}/${rest}`)).body);
        const v2 = await fetch(`${repository}/_plimsoll/report/${digest}`, { headers });
        const pull = await fetch(`${repository}/manifests/${name}`, { headers });
        const begunAt = performance.now();
        const page = await get("security/findings?limit=1");
        const firstMs = performance.now() - begunAt;
        const pages = [page, await get("security/findings?list=packages")];
        const nextMs = performance.now() - begunAt - firstMs;
        const answers = [
          ...pages,
          await get("security"),
          await get("security/report?format=csv"),
          await v2.text(),
          `${pull.status} ${await pull.text()}`,
        ];
        const isWhole = v2.headers.has("content-length"); // of answers of another thread, the length is known
        return {
          isWhole,
          firstMs,
          nextMs,
          answers: answers.map((text) => text.replaceAll(/sha256:\w+|[0-9a-f]{12}|small|large/g, "")),
        };
      };

      const inThisThread = await seen(small);
      const inAnother = await seen(large);

      expect(inThisThread.isWhole).toBe(false);
      expect(inAnother.isWhole).toBe(true);
      expect(inAnother.answers).toEqual(inThisThread.answers);
      expect(inAnother.answers.at(-1)).toMatch(/^403 .*CVE-2023-0001/);
      expect(inAnother.nextMs).toBeLessThan(inAnother.firstMs / 2); // by the thread of the first page, which is loaded already
    },
    90_000,
  ); // a thread that runs from the sources has to load all of them
});
