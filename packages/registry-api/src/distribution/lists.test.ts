import { expect } from "vitest";
import { errorOf, headersOf, onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, ociIndexType, ociManifestType } from "../fixtures/test-distribution.ts";

const name = "alice/images";

onEachEngine("lists", (test) => {
  test("tags in the order of their bytes, page by page", async ({ send, pushImage }) => {
    for (const tag of ["b", "a", "C", "_d", "a-1"]) await pushImage(name, tag);
    await send("DELETE", `${name}/manifests/b`);
    const list = async (query: string) => {
      const response = await send("GET", `${name}/tags/list${query}`);
      return [await response.json(), response.headers.get("link")];
    };

    expect(await list("")).toEqual([{ name, tags: ["C", "_d", "a", "a-1"] }, null]);
    const next = `</v2/${name}/tags/list?n=2&last=_d>; rel="next"`;
    expect(await list("?n=2")).toEqual([{ name, tags: ["C", "_d"] }, next]);
    expect(await list("?n=2&last=_d")).toEqual([{ name, tags: ["a", "a-1"] }, null]);
    expect(await list("?last=a")).toEqual([{ name, tags: ["a-1"] }, null]);
    expect(await list("?n=0")).toEqual([{ name, tags: [] }, null]);
    expect(await list("?n=2&n=1&N=0&last=_d&other=x")).toEqual([{ name, tags: ["a", "a-1"] }, null]);
    for (const n of ["x", "", "-1", "1.5", "1e3", "9999999999999999"])
      expect(await errorOf(await send("GET", `${name}/tags/list?n=${n}`)), n).toBe("400 INVALID_REQUEST");
    expect(await errorOf(await send("GET", `${name}/tags/list?n=x`, { as: "" }))).toBe("401 UNAUTHORIZED");
  });

  test("repositories that the caller has a role on", async ({ send, pushBlob, registry }) => {
    for (const each of ["alice/b", "alice/a/c"]) await pushBlob(each, "x");
    await registry.user("bob");
    await send("POST", "bob/own/blobs/uploads/", { as: "bob" });
    await registry.user("root");
    const list = async (as: string, query = "") => {
      const response = await send("GET", `/v2/_catalog${query}`, { as });
      return [((await response.json()) as { repositories: unknown }).repositories, response.headers.get("link")];
    };

    expect(await list("alice")).toEqual([["alice/a/c", "alice/b"], null]);
    expect(await list("alice", "?n=1")).toEqual([["alice/a/c"], '</v2/_catalog?n=1&last=alice%2Fa%2Fc>; rel="next"']);
    expect(await list("alice", "?n=1&last=alice%2Fa%2Fc")).toEqual([["alice/b"], null]);
    expect(await list("bob")).toEqual([["bob/own"], null]);
    expect(await list("-")).toEqual([[], null]);
    const unknown = await send("GET", "/v2/_catalog", { as: "" }); // clients send no credentials before a challenge
    expect(headersOf(unknown, "www-authenticate")).toEqual([
      'Bearer realm="test",service="test",scope="registry:catalog:*"',
    ]);
    expect(await errorOf(unknown)).toBe("401 UNAUTHORIZED");
  });

  test("no more referrers in a page than are read in little memory", async ({ send, pushImage }) => {
    const subject = await pushImage(name, "latest");
    const descriptor = { mediaType: ociManifestType, digest: subject.digest, size: subject.content.length };
    for (const layer of ["a", "b"]) {
      const annotations = { large: layer.repeat(3_000_000) };
      await pushImage(name, undefined, { layer, manifest: { subject: descriptor, annotations } });
    }
    const list = async (path: string) => {
      const response = await send("GET", path);
      const { manifests } = (await response.json()) as { manifests: { annotations: { large: string } }[] };
      const next = /<(.*)>/.exec(response.headers.get("link") ?? "")?.[1] ?? "";
      return { next, sizes: manifests.map(({ annotations }) => annotations.large.length) };
    };

    const first = await list(`${name}/referrers/${subject.digest}`);

    expect(first).toEqual({ next: expect.stringContaining("last=sha256"), sizes: [3_000_000] });
    expect(await list(first.next)).toEqual({ next: "", sizes: [3_000_000] });
  });

  test("referrers with their types, filtered, page by page", async ({ send, pushImage }) => {
    const subject = await pushImage(name, "latest");
    const descriptor = { mediaType: ociManifestType, digest: subject.digest, size: subject.content.length };
    const refer = (layer: string, manifest: Record<string, unknown>) =>
      pushImage(name, undefined, { layer, manifest: { subject: descriptor, ...manifest } });
    const signature = await refer("a", { artifactType: "application/x.sig", annotations: { by: "alice" } });
    const plain = await refer("b", {});
    const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests: [], subject: descriptor });
    const headers = { "content-type": ociIndexType };
    const put = await send("PUT", `${name}/manifests/${digestOf(index)}`, { headers, body: index });
    const list = async (query = "", digest = subject.digest) => {
      const response = await send("GET", `${name}/referrers/${digest}${query}`);
      const { manifests, ...rest } = (await response.json()) as { manifests: { digest: string }[] };
      return { response, manifests, rest };
    };

    expect(put.headers.get("oci-subject")).toBe(subject.digest);
    const all = await list();
    expect(all.response.headers.get("content-type")).toBe(ociIndexType);
    expect(all.rest).toEqual({ schemaVersion: 2, mediaType: ociIndexType });
    expect(all.manifests).toEqual(
      [
        {
          mediaType: ociManifestType,
          digest: signature.digest,
          size: signature.content.length,
          artifactType: "application/x.sig",
          annotations: { by: "alice" },
        },
        {
          mediaType: ociManifestType,
          digest: plain.digest,
          size: plain.content.length,
          artifactType: "application/vnd.oci.image.config.v1+json",
        },
        { mediaType: ociIndexType, digest: digestOf(index), size: index.length },
      ].sort((one, other) => (one.digest < other.digest ? -1 : 1)),
    );
    const filtered = await list("?artifactType=application/x.sig");
    expect(filtered.response.headers.get("oci-filters-applied")).toBe("artifactType");
    expect(filtered.manifests.map(({ digest }) => digest)).toEqual([signature.digest]);
    const first = await list("?n=1");
    const second = await send("GET", /<(.*)>/.exec(first.response.headers.get("link") ?? "")?.[1] ?? "");
    expect(((await second.json()) as typeof first).manifests).toEqual([all.manifests[1]]);

    await send("DELETE", `${name}/manifests/${signature.digest}`);
    expect((await list()).manifests).toHaveLength(2);
    expect((await list("", digestOf("nothing"))).manifests).toEqual([]);
  });

  test("referrers that a client lists under the fallback tag", async ({ send, pushImage }) => {
    const { digest, content } = await pushImage(name, undefined, { layer: "signature" });
    const manifests = [{ mediaType: ociManifestType, digest, size: content.length }];
    const body = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests });

    for (const algorithm of ["sha256", "sha512"] as const) {
      const subject = digestOf("an image", algorithm);
      const tag = `${algorithm}-${subject.slice(7, 7 + 64)}`; // a longer one would be no valid tag
      await send("PUT", `${name}/manifests/${tag}`, { headers: { "content-type": ociIndexType }, body });

      const response = await send("GET", `${name}/referrers/${subject}`);

      expect(((await response.json()) as { manifests: unknown[] }).manifests).toMatchObject([{ digest }]);
    }
  });
});
