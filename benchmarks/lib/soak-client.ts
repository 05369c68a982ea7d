import { setTimeout as delay } from "node:timers/promises";
import { type BuiltBlob, type BuiltImage, type BuiltLayer, blobsOf } from "@plimsoll/testing";
import { request } from "undici";
import type { ServedRegistry } from "./registry.ts";
import { soakImage } from "./soak-images.ts";

/** The data that the clients of a soak share. */
export interface SoakWorld {
  readonly registry: ServedRegistry;
  readonly bases: readonly BuiltLayer[];
  /** Returns numbers from 0 to below 1. */
  readonly random: () => number;
  /** How long the registry guarantees to keep a blob after it confirmed that it exists. */
  readonly promisedMs: number;
  readonly tally: SoakTally;
}

/** The results of a soak. */
export interface SoakTally {
  /** Number of requests by operation and status. */
  readonly answers: Map<string, number>;
  /** Descriptions of failures. */
  readonly faults: string[];
}

interface Pushed {
  readonly repository: string;
  readonly tag: string;
  readonly image: BuiltImage;
}

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

/** The number of images that a client remembers; below, the number of tags in each of its repositories, and of its repositories. */
const remembered = 12;
const tags = 6;
const repositories = 3;

interface ExpectedRequest {
  readonly method: Method;
  readonly path: string;
  readonly body?: Uint8Array | undefined;
}

/**
 * A client that pushes, pulls, deletes, lists and reads reports in random order. No other client uses its repositories, so an image
 * stays until this client deletes it; all clients share base layers.
 */
export class SoakClient {
  readonly #world: SoakWorld;
  readonly #name: string;
  #images: Pushed[] = [];

  constructor(world: SoakWorld, name: string) {
    this.#world = world;
    this.#name = name;
  }

  /** Works until the signal is aborted. */
  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#act();
      } catch (error) {
        this.#fault(`${this.#name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        await delay(1_000);
      }
    }
  }

  async #act(): Promise<void> {
    const chance = this.#world.random();
    if (chance < 0.35) return this.#push();
    if (chance < 0.6) return this.#pull();
    if (chance < 0.75) return this.#report();
    if (chance < 0.88) return this.#list();
    if (chance < 0.97) return this.#delete();
    return this.#abandonUpload();
  }

  async #push(): Promise<void> {
    const image = await soakImage(this.#world.bases, this.#world.random);
    const repository = `first/${this.#name}-${this.#below(repositories)}`;
    const tag = `tag-${this.#below(tags)}`;
    const told = new Map<string, number>();
    for (const blob of blobsOf(image).filter(({ digest }) => digest !== image.digest)) {
      const askedAt = Date.now();
      await this.#pushBlob(repository, blob);
      told.set(blob.digest, askedAt);
      if (this.#world.random() < 0.1) await delay(this.#below(3_000));
    }
    const headers = { "content-type": image.mediaType };
    const path = `/v2/${repository}/manifests/${tag}`;
    const { status, text } = await this.#ask("push manifest", { method: "PUT", path, headers, body: image.bytes });
    if (status === 201) this.#remember({ repository, tag, image });
    else if (text.includes("MANIFEST_BLOB_UNKNOWN")) this.#judgeUnknown(repository, text, told);
    else this.#fault(`push of ${path}: ${status} ${text.slice(0, 300)}`);
  }

  /** Reports a fault unless the blob was confirmed longer ago than the registry guarantees to keep it. */
  #judgeUnknown(repository: string, text: string, told: ReadonlyMap<string, number>): void {
    const now = Date.now();
    for (const [digest, at] of told) {
      if (!text.includes(digest)) continue;
      const ageMs = now - at;
      if (ageMs < this.#world.promisedMs)
        this.#fault(`${repository}: ${digest} is unknown ${ageMs} ms after it was confirmed`);
      else this.#count("push manifest", "too late");
    }
  }

  async #pushBlob(repository: string, { digest, bytes }: BuiltBlob): Promise<void> {
    const { status: found } = await this.#ask("ask for blob", {
      method: "HEAD",
      path: `/v2/${repository}/blobs/${digest}`,
    });
    if (found === 200) return;
    const uploads = `/v2/${repository}/blobs/uploads/`;
    const how = this.#world.random();
    const [other] = this.#images;
    if (how < 0.2 && other !== undefined) {
      const mount = `${uploads}?mount=${digest}&from=${other.repository}`;
      const { status, location } = await this.#ask("mount blob", { method: "POST", path: mount });
      if (status === 201) return;
      await this.#expect(201, "finish upload", { method: "PUT", path: withDigest(location, digest), body: bytes });
    } else if (how < 0.6) {
      await this.#expect(201, "push blob", { method: "POST", path: `${uploads}?digest=${digest}`, body: bytes });
    } else {
      const { location } = await this.#expect(202, "begin upload", { method: "POST", path: uploads });
      const sent = await this.#expect(202, "send chunk", { method: "PATCH", path: location, body: bytes });
      await this.#expect(201, "finish upload", { method: "PUT", path: withDigest(sent.location, digest) });
    }
  }

  async #pull(): Promise<void> {
    const pushed = this.#any();
    if (pushed === undefined) return;
    const { repository, tag, image } = pushed;
    const path = `/v2/${repository}/manifests/${tag}`;
    const { status } = await this.#ask("pull manifest", { method: "GET", path });
    if (status !== 200) return this.#fault(`pull of ${path}, which is there: ${status}`);
    for (const { digest } of blobsOf(image).filter((blob) => blob.digest !== image.digest)) {
      const blob = await this.#ask("pull blob", { method: "GET", path: `/v2/${repository}/blobs/${digest}` });
      if (blob.status !== 200) this.#fault(`pull of ${digest} of ${path}, which is there: ${blob.status}`);
    }
  }

  async #report(): Promise<void> {
    const pushed = this.#any();
    if (pushed === undefined) return;
    const { repository, image } = pushed;
    const path = `/api/v1/repository/${repository}/manifest/${image.digest}/security?vulnerabilities=true`;
    const { status, text } = await this.#ask("report", { method: "GET", path });
    if (status !== 200) return this.#fault(`report of ${path}: ${status} ${text.slice(0, 300)}`);
    this.#count("report", (JSON.parse(text) as { readonly status: string }).status);
  }

  async #list(): Promise<void> {
    const repository = `first/${this.#name}-${this.#below(repositories)}`;
    const paths = [
      `/v2/${repository}/tags/list`,
      "/v2/_catalog?n=100",
      "/api/v1/repository?namespace=first",
      `/api/v1/repository/${repository}/tag/`,
      "/api/v1/user/logs",
      "/api/v1/user/",
    ];
    await this.#ask("list", { method: "GET", path: paths[this.#below(paths.length)] ?? "" });
  }

  async #delete(): Promise<void> {
    const pushed = this.#any();
    if (pushed === undefined) return;
    const { repository, tag, image } = pushed;
    const how = this.#world.random();
    if (how < 0.1) {
      this.#images = this.#images.filter((each) => each.repository !== repository);
      await this.#ask("delete repository", { method: "DELETE", path: `/api/v1/repository/${repository}` });
    } else if (how < 0.5) {
      this.#images = this.#images.filter((each) => each !== pushed);
      await this.#ask("delete tag", { method: "DELETE", path: `/api/v1/repository/${repository}/tag/${tag}` });
    } else {
      this.#images = this.#images.filter((each) => each !== pushed);
      await this.#ask("delete manifest", { method: "DELETE", path: `/v2/${repository}/manifests/${image.digest}` });
    }
  }

  async #abandonUpload(): Promise<void> {
    const uploads = `/v2/first/${this.#name}-0/blobs/uploads/`;
    const { location } = await this.#expect(202, "begin upload", { method: "POST", path: uploads });
    await this.#expect(202, "send chunk", { method: "PATCH", path: location, body: Buffer.alloc(10_000) });
  }

  #remember(pushed: Pushed): void {
    const { repository, tag } = pushed;
    const others = this.#images.filter((each) => each.repository !== repository || each.tag !== tag);
    this.#images = [pushed, ...others].slice(0, remembered);
  }

  #any(): Pushed | undefined {
    return this.#images[this.#below(this.#images.length)];
  }

  #below(count: number): number {
    return Math.floor(this.#world.random() * count);
  }

  async #expect(status: number, what: string, { method, path, body }: ExpectedRequest): Promise<Answer> {
    const answer = await this.#ask(what, { method, path, body });
    if (answer.status !== status) this.#fault(`${what} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  }

  async #ask(
    what: string,
    { method, path, ...sent }: Sent & { readonly method: Method; readonly path: string },
  ): Promise<Answer> {
    const { registry } = this.#world;
    const authorization = path.startsWith("/api/") ? registry.bearer : registry.basic;
    const {
      statusCode: status,
      headers,
      body,
    } = await request(new URL(path, registry.address), {
      method,
      headers: { "content-type": "application/octet-stream", ...sent.headers, authorization },
      body: sent.body ?? null,
    });
    const isJson = String(headers["content-type"]).includes("json");
    const text = isJson ? await body.text() : "";
    if (!isJson) await body.dump({ limit: Number.MAX_SAFE_INTEGER });
    this.#count(what, status);
    return { status, location: String(headers.location ?? ""), text };
  }

  #count(what: string, outcome: string | number): void {
    const { answers } = this.#world.tally;
    const key = `${what}: ${outcome}`;
    answers.set(key, (answers.get(key) ?? 0) + 1);
  }

  #fault(text: string): void {
    this.#world.tally.faults.push(text);
  }
}

type Method = "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

function withDigest(location: string, digest: string): string {
  return `${location}${location.includes("?") ? "&" : "?"}digest=${digest}`;
}
