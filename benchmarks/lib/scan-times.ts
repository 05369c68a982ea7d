import { createHash } from "node:crypto";
import { call } from "./registry.ts";

/** Seconds from the first byte of the first layer until all layers are stored, the manifest is pushed, and the image is scanned. */
export interface ScanTimes {
  readonly blobs: number;
  readonly manifest: number;
  readonly scanned: number;
}

/** An image of gzip layers, whose manifest is pushed directly after them. */
export interface PushedImage {
  readonly server: { readonly address: string; readonly authorization?: string; readonly bearer: string };
  readonly repository: string;
  readonly layers: readonly { readonly digest: string; readonly size: number }[];
  /** Pushes the layers. */
  readonly push: () => Promise<unknown>;
}

/** Pushes an image and polls until it is scanned. */
export async function timeScan({ server, repository, layers, push }: PushedImage): Promise<ScanTimes> {
  const { authorization = "" } = server;
  const config = Buffer.from("{}");
  const uploads = `/v2/${repository}/blobs/uploads/?digest=${digestOf(config)}`;
  await call(server, {
    method: "POST",
    path: uploads,
    authorization,
    body: config,
    contentType: "application/octet-stream",
  });
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType,
      config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: digestOf(config), size: config.length },
      layers: layers.map((layer) => ({ mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", ...layer })),
    }),
  );
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  await push();
  const blobs = seconds();
  await call(server, {
    method: "PUT",
    path: `/v2/${repository}/manifests/first`,
    authorization,
    body: manifest,
    contentType: mediaType,
  });
  const put = seconds();
  const security = `/api/v1/repository/${repository}/manifest/${digestOf(manifest)}/security`;
  for (let status = ""; status !== "scanned"; ) {
    ({ status } = (await call(server, { method: "GET", path: security, authorization: server.bearer })) as {
      readonly status: string;
    });
  }
  return { blobs, manifest: put, scanned: seconds() };
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
