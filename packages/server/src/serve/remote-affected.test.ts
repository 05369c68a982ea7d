import type { Json } from "@plimsoll/core/report";
import { ruledVulnerabilitiesType } from "@plimsoll/scanner-api";
import { describe, expect, it } from "vitest";
import { startPeer } from "./fixtures/peer.ts";
import { remoteAffected } from "./remote-affected.ts";

const digest = `sha256:${"a".repeat(64)}`;
const about = {
  package: { name: "zlib", version: "" },
  distribution: { id: "debian:12", did: "debian", version_id: "12" },
};
const named = (id: string, name: string) => ({
  id,
  name,
  normalized_severity: "High",
  ...about,
  rule: { ecosystem: "debian:12" },
});
const sent = [named("7", "CVE-1"), named("8", "CVE-2")] as unknown as Json;
const path = "/indexer/api/v1/internal/affected_manifest";
const contract = "application/vnd.scanner.vulnerability_summaries.v1+json";

async function affectedBy(url: string) {
  const found: unknown[] = [];
  const source = remoteAffected({ name: "indexer", addresses: [url], vendor: "scanner" });
  for await (const each of source.listAffected(sent, {})) found.push(each);
  return { found, source };
}

describe("remoteAffected", () => {
  it.each<[string, readonly (readonly [path: string, type: string, status: number])[]]>([
    ["our own form", [[path, ruledVulnerabilitiesType, 200]]],
    [
      "the contract's form",
      [
        [path, ruledVulnerabilitiesType, 415],
        [path, contract, 200],
      ],
    ],
    [
      "the contract's form as plain JSON",
      [
        [path, ruledVulnerabilitiesType, 415],
        [path, contract, 415],
        [path, "application/json", 200],
      ],
    ],
    [
      "the form of the reference",
      [
        [path, ruledVulnerabilitiesType, 400],
        [path, contract, 400],
        [path, "application/json", 400],
        [`${path}/`, "application/json", 200],
      ],
    ],
  ])("sends %s to an indexer that accepts no other", async (_, calls) => {
    const left = [...calls];
    await using peer = await startPeer(({ url, type }) => {
      const [expected, wanted, status = 500] = left.shift() ?? [];
      expect([url, type]).toEqual([expected, wanted]);
      return { status, body: { vulnerabilities: {}, vulnerable_manifests: { [digest]: ["7"] } } };
    });

    const { found } = await affectedBy(peer.url);

    expect(found).toEqual([{ ids: ["7"], manifests: [digest] }]);
    expect(left).toEqual([]);
  });

  it("sends only what the contract names, unless the indexer is ours", async () => {
    await using peer = await startPeer(({ type }) =>
      type === contract ? { status: 200, body: { vulnerable_manifests: {} } } : { status: 415, body: {} },
    );

    await affectedBy(peer.url);

    const [ruled, plain] = peer.requests.map(({ body }) => (body as readonly object[])[0]);
    expect(Object.keys(ruled ?? {})).toEqual(["id", "name", "normalized_severity", "package", "distribution", "rule"]);
    expect(Object.keys(plain ?? {})).toEqual(["name", "normalized_severity", "package", "distribution"]);
  });

  it("does not try a form again that was refused", async () => {
    await using peer = await startPeer(({ type }) =>
      type === contract ? { status: 200, body: { vulnerable_manifests: {} } } : { status: 415, body: {} },
    );
    const { source } = await affectedBy(peer.url);

    for await (const _ of source.listAffected(sent, {}));

    expect(peer.requests.map(({ type }) => type)).toEqual([ruledVulnerabilitiesType, contract, contract]);
  });

  const echo = { a: { ...named("a", "CVE-2"), rule: undefined }, b: { ...named("b", "CVE-1"), rule: undefined } };
  it.each([
    ["before", { vulnerabilities: echo, vulnerable_manifests: { [digest]: ["a", "b"] } }],
    ["after", { vulnerable_manifests: { [digest]: ["a", "b"] }, vulnerabilities: echo }],
  ])("knows vulnerabilities with other ids by their content, %s they are listed", async (_, body) => {
    await using peer = await startPeer(() => ({ status: 200, body }));

    const { found } = await affectedBy(peer.url);

    const ids = found.flatMap((each) => (each as { readonly ids: readonly string[] }).ids);
    expect(ids.toSorted()).toEqual(["7", "8"]);
  });

  it("takes null for none", async () => {
    const body = { vulnerabilities: null, vulnerable_manifests: null };
    await using peer = await startPeer(() => ({ status: 200, body }));

    expect((await affectedBy(peer.url)).found).toEqual([]);
  });
});
