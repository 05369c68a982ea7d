import { gzipSync } from "node:zlib";
import { findAccount } from "@plimsoll/registry/access/queries";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { expect } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import {
  digestOf,
  ociIndexType,
  ociManifestType,
  type PushedImage,
  type TestDistribution,
} from "../fixtures/test-distribution.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";

/** Every image has a vulnerability of high severity, except those that a test marks as clean. */
function scannerWithout(clean: Set<string>): ImageScanner {
  return {
    ...basicScanner,
    state: async () => "one",
    index: async () => {},
    find: async ({ digest }) => {
      const report = clean.has(digest) ? { ...vulnerabilityReport, package_vulnerabilities: {} } : vulnerabilityReport;
      return { status: "scanned", report, coverage: wholeCoverage };
    },
  };
}

const name = "acme/app";
const baseText = "the base of both";
const emptyDescriptor = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

/** The content of a repository with an enforced gate. */
interface Held {
  readonly world: TestDistribution;
  readonly refused: PushedImage;
  /** Shares its layer `base` with the refused image. */
  readonly passing: PushedImage;
  readonly base: string;
  readonly index: string;
  /** An artifact with the layer of the refused image. */
  readonly wrapped: string;
  readonly sbom: { readonly digest: string; readonly layer: string };
  /** Images whose layers have unknown types, by what is odd about them. */
  readonly odd: ReadonlyMap<string, string>;
  /** cosign's signature of the refused image, which has the configuration of an image. */
  readonly signature: string;
  /** A blob that no manifest has. */
  readonly loose: string;
  manage(path: string): Promise<number>;
}

type Road = readonly [title: string, status: number, go: (held: Held) => Promise<number>];

function get(
  path: (held: Held) => string,
  options: { readonly method?: string; readonly headers?: Record<string, string> } = {},
) {
  const { method = "GET", headers = {} } = options;
  return async (held: Held) => (await held.world.send(method, path(held), { headers })).status;
}

const ociConfig = "application/vnd.oci.image.config.v1+json";

/** Images that a runtime unpacks although their media types are not those of images; they have a vulnerability. */
const oddImages: readonly (readonly [title: string, config: string, layer: string])[] = [
  ["image with layers of bytes", ociConfig, "application/octet-stream"],
  ["image with layers of a vendor", ociConfig, "application/vnd.acme.diff+gzip"],
  ["image with the configuration of Docker", "application/vnd.docker.container.image.v1+json", "application/vnd.acme"],
  [
    "image with an artifact's configuration",
    "application/vnd.oci.empty.v1+json",
    "application/vnd.oci.image.layer.v1.tar",
  ],
];

/** Every request for an image or a part of it. Permitted ones only show facts from which the image cannot be assembled. */
const roads: readonly Road[] = [
  ["manifest by tag", 403, get(() => `${name}/manifests/v1`)],
  ["manifest by digest", 403, get(({ refused }) => `${name}/manifests/${refused.digest}`)],
  ["HEAD of the manifest", 403, get(() => `${name}/manifests/v1`, { method: "HEAD" })],
  ["manifest of an index child", 403, get(({ refused }) => `${name}/manifests/${refused.digest}`)],
  ["manifest of the index itself", 200, get(({ index }) => `${name}/manifests/${index}`)],
  ...oddImages.map(([title]): Road => [title, 403, get(({ odd }) => `${name}/manifests/${odd.get(title)}`)]),
  ["signature with the configuration of an image", 200, get(({ signature }) => `${name}/manifests/${signature}`)],
  ["layer by digest, which an artifact has as well", 403, get(({ refused }) => `${name}/blobs/${refused.layer}`)],
  ["configuration by digest", 403, get(({ refused }) => `${name}/blobs/${refused.config}`)],
  [
    "range of a layer",
    403,
    get(({ refused }) => `${name}/blobs/${refused.layer}`, { headers: { range: "bytes=0-1" } }),
  ],
  ["artifact with that layer", 200, get(({ wrapped }) => `${name}/manifests/${wrapped}`)],
  [
    "HEAD of a layer, which clients ask before they push",
    200,
    get(({ refused }) => `${name}/blobs/${refused.layer}`, { method: "HEAD" }),
  ],
  ["layer that a passing image has as well", 200, get(({ base }) => `${name}/blobs/${base}`)],
  ["passing image", 200, get(() => `${name}/manifests/v2`)],
  ["layer of the passing image", 200, get(({ passing }) => `${name}/blobs/${passing.layer}`)],
  ["attached SBOM", 200, get(({ sbom }) => `${name}/manifests/${sbom.digest}`)],
  ["blob of the attached SBOM", 200, get(({ sbom }) => `${name}/blobs/${sbom.layer}`)],
  ["configuration that all artifacts have", 200, get(() => `${name}/blobs/${emptyDescriptor}`)],
  ["blob that no manifest has", 200, get(({ loose }) => `${name}/blobs/${loose}`)],
  ["referrers", 200, get(({ refused }) => `${name}/referrers/${refused.digest}?n=1`)],
  ["report", 200, get(() => `${name}/_plimsoll/report/v1`)],
  ["tags", 200, get(() => `${name}/tags/list`)],
  ["mount of a layer into another namespace", 202, ({ world, refused }) => mount(world, refused.layer, "alice/copy")],
  ["mount of a shared layer into another namespace", 202, ({ world, base }) => mount(world, base, "alice/copy")],
  ["management: the manifest with its steps", 200, ({ manage, refused }) => manage(`/manifest/${refused.digest}`)],
  ["management: its packages", 200, ({ manage, refused }) => manage(`/manifest/${refused.digest}/security`)],
  ["management: its referrers", 200, ({ manage, refused }) => manage(`/manifest/${refused.digest}/referrers`)],
  ["management: its labels", 200, ({ manage, refused }) => manage(`/manifest/${refused.digest}/labels`)],
];

async function mount({ send }: TestDistribution, digest: string, target: string): Promise<number> {
  return (await send("POST", `${target}/blobs/uploads/?mount=${digest}&from=${name}`)).status;
}

async function pushManifest(
  { send }: TestDistribution,
  manifest: object,
  mediaType = ociManifestType,
): Promise<string> {
  const body = JSON.stringify({ schemaVersion: 2, mediaType, ...manifest });
  const digest = digestOf(body);
  const answer = await send("PUT", `${name}/manifests/${digest}`, { headers: { "content-type": mediaType }, body });
  if (answer.status !== 201) throw new Error(await answer.text());
  return digest;
}

async function prepare(world: TestDistribution, clean: Set<string>): Promise<Held> {
  const alice = await findAccount(world.store.db, "alice", "user");
  if (alice === undefined) throw new Error("no alice");
  const call = await world.registry.session(alice);
  await call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
  const base = await world.pushBlob(name, baseText);
  const image = (tag: string, layer: string, labels = {}) => {
    const digest = digestOf(layer);
    const type = "application/vnd.oci.image.layer.v1.tar";
    const layers = [
      { mediaType: type, digest: base, size: baseText.length },
      { mediaType: type, digest, size: layer.length },
    ];
    return world.pushImage(name, tag, { layer, labels, manifest: { layers } });
  };
  const refused = await image("v1", "vulnerable", { is: "refused" });
  const passing = await image("v2", "clean", { is: "passing" });
  clean.add(passing.digest);
  const manifests = [{ mediaType: ociManifestType, digest: refused.digest, size: 1 }];
  const index = await pushManifest(world, { manifests }, ociIndexType);
  const empty = { mediaType: "application/vnd.oci.empty.v1+json", digest: await world.pushBlob(name, "{}"), size: 2 };
  const artifact = (artifactType: string, { digest, size }: { digest: string; size: number }, subject = {}) =>
    pushManifest(world, {
      artifactType,
      config: empty,
      layers: [{ mediaType: "text/plain", digest, size }],
      ...subject,
    });
  const wrapped = await artifact("text/plain", { digest: refused.layer, size: "vulnerable".length });
  const layer = await world.pushBlob(name, "an SBOM");
  const subject = { mediaType: ociManifestType, digest: refused.digest, size: 1 };
  const sbom = {
    layer,
    digest: await artifact("application/spdx+json", { digest: layer, size: "an SBOM".length }, { subject }),
  };
  const odd = new Map<string, string>();
  for (const [title, mediaType, layerType] of oddImages) {
    const bytes = gzipSync(title);
    const of = { mediaType: layerType, digest: await world.pushBlob(name, bytes), size: bytes.length };
    const config = { mediaType, digest: await world.pushBlob(name, '{"os":"linux"}'), size: 14 };
    odd.set(title, await pushManifest(world, { artifactType: "text/plain", config, layers: [of] }));
  }
  const payload = JSON.stringify({ critical: { image: { "docker-manifest-digest": refused.digest } } }).padEnd(600);
  const simple = "application/vnd.dev.cosign.simplesigning.v1+json";
  const signature = await pushManifest(world, {
    config: { mediaType: ociConfig, digest: await world.pushBlob(name, '{"rootfs":{}}'), size: 13 },
    layers: [{ mediaType: simple, digest: await world.pushBlob(name, payload), size: payload.length }],
  });
  const loose = await world.pushBlob(name, "loose");
  const manage = async (path: string) => (await call("GET", `/repository/${name}${path}`)).status;
  return { world, refused, passing, base, index, wrapped, sbom, odd, signature, loose, manage };
}

onEachEngine("roads round the pull gate", (plain) => {
  const clean = new Set<string>();
  const options = { imageScanner: scannerWithout(clean) };
  const owners = ["repository/acme/app", "organization/acme"];

  for (const owner of owners) {
    plain(
      `are all closed by that of the ${owner}`,
      async (world) => {
        const held = await prepare(world, clean);
        const gateBy = await gateOf(world, owner);
        await gateBy({ severity: "High" });

        const found: [string, number][] = [];
        for (const [title, , go] of roads) found.push([title, await go(held)]);

        expect(found).toEqual(roads.map(([title, status]) => [title, status]));
        await gateBy({ severity: "High", mode: "dry_run" });
        expect(await get(({ refused }) => `${name}/blobs/${refused.layer}`)(held)).toBe(200);
        await gateBy({ severity: "High", pending: "deny" });
        expect(await get(({ loose }) => `${name}/blobs/${loose}`)(held)).toBe(403);
      },
      options,
    );
  }

  plain(
    "are told of when a blob is refused",
    async (world) => {
      const { refused } = await prepare(world, clean);
      await (await gateOf(world, "repository/acme/app"))({ severity: "High" });

      const answer = await world.send("GET", `${name}/blobs/${refused.layer}`);

      expect(await answer.json()).toMatchObject({ errors: [{ code: "DENIED", detail: { digest: refused.digest } }] });
      const failed = (await world.registry.usageLog()).filter(({ kind }) => kind === "pull_repo_failed");
      expect(failed).toMatchObject([{ metadata: { manifest_digest: refused.digest, pull_gate: { verdict: "deny" } } }]);
    },
    options,
  );

  plain(
    "do not decide about all of many images for one blob, unless the manifest was pulled before",
    async (world) => {
      const { base } = await prepare(world, clean);
      for (let nth = 0; nth < 50; nth++) {
        world.registry.time.now += 1;
        const layers = [{ mediaType: "application/vnd.oci.image.layer.v1.tar", digest: base, size: baseText.length }];
        await world.pushImage(name, undefined, { manifest: { layers, annotations: { nth: `${nth}` } } });
      }
      await (await gateOf(world, "organization/acme"))({ severity: "High" });
      const pull = async () => (await world.send("GET", `${name}/blobs/${base}`)).status;

      expect(await pull()).toBe(403);
      expect((await world.send("GET", `${name}/manifests/v2`)).status).toBe(200);
      expect(await pull()).toBe(200);
    },
    options,
  );
});

async function gateOf({ store, registry }: TestDistribution, owner: string) {
  const alice = await findAccount(store.db, "alice", "user");
  if (alice === undefined) throw new Error("no alice");
  const call = await registry.session(alice);
  return async (rules: object) => {
    const { status } = await call("PUT", `/${owner}/pullgate`, rules);
    if (status !== 200) throw new Error(`${status}`);
  };
}
