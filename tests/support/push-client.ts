import { digestOf } from "@plimsoll/testing";

/** A blob or a manifest as it is pushed. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** What is to be pushed: an image with its blobs, or an index with its images. */
export interface Pushable extends Content {
  readonly mediaType: string;
  readonly blobs: readonly Content[];
  readonly images: readonly Pushable[];
}

/** Told of whatever happens while something is changed, and when it does: each piece that is sent, each answer. */
export type OnEvent = () => void;

/** Bytes with their digest. */
export function contentOf(bytes: Uint8Array | string): Content {
  const encoded = Buffer.from(bytes);
  return { bytes: encoded, digest: digestOf(encoded) };
}

const ofOci = "application/vnd.oci.image";

/** An image of a configuration and layers, to be pushed. */
export function imageOf(config: Content, layers: readonly Content[]): Pushable {
  const mediaType = `${ofOci}.manifest.v1+json`;
  const partOf = ({ digest, bytes }: Content, type: string) => ({ mediaType: type, digest, size: bytes.length });
  const manifest = {
    schemaVersion: 2,
    mediaType,
    config: partOf(config, `${ofOci}.config.v1+json`),
    layers: layers.map((layer) => partOf(layer, `${ofOci}.layer.v1.tar`)),
  };
  return { ...contentOf(JSON.stringify(manifest)), mediaType, images: [], blobs: [config, ...layers] };
}

/** How much is sent at a time. */
const pieceBytes = 8 * 1024;

/** The registry does not answer any more: the connection broke. */
export class ConnectionBroken extends Error {
  override readonly name = "ConnectionBroken";
}

/** A client of one repository that speaks the protocol as ordinary ones do: it asks for a blob before it sends it. */
export class PushClient {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #onEvent: OnEvent;

  /** @param token an OAuth token */
  constructor(base: string, token: string, onEvent: OnEvent = () => {}) {
    this.#base = base;
    this.#headers = { authorization: `Basic ${btoa(`$oauthtoken:${token}`)}` };
    this.#onEvent = onEvent;
  }

  /** Pushes all that an image or an index needs, and then itself, by its digest unless there is a tag. */
  async push(what: Pushable, { tag, mountFrom }: { tag?: string; mountFrom?: string } = {}): Promise<void> {
    for (const blob of what.blobs) await this.#pushBlob(blob, mountFrom);
    for (const image of what.images) await this.push(image, mountFrom === undefined ? {} : { mountFrom });
    const headers = { "content-type": what.mediaType };
    await this.ask("PUT", `manifests/${tag ?? what.digest}`, { expected: [201], init: { headers, body: what.bytes } });
  }

  async delete(reference: string): Promise<void> {
    await this.ask("DELETE", `manifests/${reference}`, { expected: [202] });
  }

  /** Pulls a manifest with everything below it. @returns its digest; undefined where there is none of that name */
  async pull(reference: string): Promise<string | undefined> {
    const response = await this.ask("GET", `manifests/${reference}`, { expected: [200, 404] });
    const { bytes, digest } = contentOf(await read(response));
    if (response.status === 404) return undefined;
    const manifest = JSON.parse(Buffer.from(bytes).toString()) as PulledManifest;
    for (const part of manifest.manifests ?? []) await this.#expectDigest(part.digest, this.pull(part.digest));
    for (const part of [manifest.config ?? [], manifest.layers ?? []].flat()) {
      const blob = this.ask("GET", `blobs/${part.digest}`, { expected: [200] }).then(read);
      await this.#expectDigest(
        part.digest,
        blob.then((pulled) => contentOf(pulled).digest),
      );
    }
    return digest;
  }

  async #expectDigest(digest: string, pulled: Promise<string | undefined>): Promise<void> {
    const found = await pulled;
    if (found !== digest) throw new Error(`expected ${digest}, pulled ${found}`);
  }

  async #pushBlob({ bytes, digest }: Content, mountFrom: string | undefined): Promise<void> {
    if ((await this.ask("HEAD", `blobs/${digest}`, { expected: [200, 404] })).status === 200) return;
    const mount = mountFrom === undefined ? "" : `?mount=${digest}&from=${mountFrom}`;
    const started = await this.ask("POST", `blobs/uploads/${mount}`, { expected: [201, 202] });
    if (started.status === 201) return;
    const location = new URL(started.headers.get("location") ?? "", this.#base);
    await this.ask("PATCH", location.href, { expected: [202], init: { body: this.#pieces(bytes), duplex: "half" } });
    await this.ask("PUT", `${location.href}?digest=${digest}`, { expected: [201] });
  }

  /** @throws ConnectionBroken; Error for a status that is not expected */
  async ask(
    method: string,
    path: string,
    {
      expected,
      init = {},
    }: { readonly expected: readonly number[]; readonly init?: RequestInit & { readonly duplex?: "half" } },
  ): Promise<Response> {
    const headers = { ...this.#headers, ...(init.headers as Readonly<Record<string, string>>) };
    const response = await fetch(new URL(path, this.#base), { ...init, method, headers } as RequestInit).catch(broken);
    if (method !== "GET") this.#onEvent();
    if (expected.includes(response.status)) return response;
    throw new Error(`${method} ${path}: ${response.status} ${Buffer.from(await read(response))}`);
  }

  async *#pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      yield bytes.subarray(at, at + pieceBytes);
      this.#onEvent();
    }
  }
}

interface PulledManifest {
  readonly manifests?: readonly { readonly digest: string }[];
  readonly config?: { readonly digest: string };
  readonly layers?: readonly { readonly digest: string }[];
}

async function read(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer().catch(broken));
}

function broken(cause: unknown): never {
  throw new ConnectionBroken("the connection broke", { cause });
}
