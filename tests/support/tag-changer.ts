import { contentOf, imageOf, type Pushable, type PushClient } from "./push-client.ts";

const ofOci = "application/vnd.oci.image";

/** What a tag may point at: one digest, or nothing, once a change of it was acknowledged; either of two where it was not. */
type Possible = ReadonlySet<string | undefined>;

/** What a changer works with. */
export interface TagChangerOptions {
  /** Of the repository that it changes. It has its tags, and its images, for itself. */
  readonly client: PushClient;
  readonly name: string;
  /** The repository where others push the same layers: what it has is mounted. */
  readonly mountFrom: string;
  readonly random: () => number;
}

/** Changes tags at random and remembers what they may point at. */
export class TagChanger {
  readonly #options: TagChangerOptions;
  readonly #tags: Map<string, Possible>;
  readonly #pushed: Pushable[] = [];
  #serial = 0;
  /** How many changes were acknowledged. */
  acknowledged = 0;

  constructor(options: TagChangerOptions) {
    this.#options = options;
    this.#tags = new Map([1, 2].map((number) => [`${options.name}-${number}`, new Set([undefined])]));
  }

  /** Makes one change. @throws ConnectionBroken */
  async change(): Promise<void> {
    const chance = this.#options.random();
    const tag = this.#pick([...this.#tags.keys()]);
    if (chance < 0.1) await this.#deleteTag(tag);
    else if (chance < 0.25) await this.#deleteManifest(tag);
    else await this.#push(tag, chance < 0.4 ? this.#pick(this.#pushed) : undefined);
    this.acknowledged += 1;
  }

  /** Pulls whatever its tags point at. What is found then has to stay. @throws Error when a tag points elsewhere */
  async check(): Promise<void> {
    for (const [tag, possible] of this.#tags) {
      const found = await this.#options.client.pull(tag);
      if (!possible.has(found)) throw new Error(`${tag}: expected one of ${[...possible]}, found ${found}`);
      this.#tags.set(tag, new Set([found]));
    }
  }

  async #push(tag: string, again: Pushable | undefined): Promise<void> {
    const { client, mountFrom } = this.#options;
    const what = again ?? this.#build();
    if (again === undefined) this.#pushed.push(what);
    await this.#become(new Map([[tag, what.digest]]), () => client.push(what, { tag, mountFrom }));
  }

  async #deleteTag(tag: string): Promise<void> {
    if (!this.#isThere(tag)) return;
    await this.#become(new Map([[tag, undefined]]), () => this.#options.client.delete(tag));
  }

  /** All tags of the manifest end with it. */
  async #deleteManifest(tag: string): Promise<void> {
    if (!this.#isThere(tag)) return;
    const [digest = ""] = this.#tags.get(tag) ?? [];
    const named = [...this.#tags].filter(([, possible]) => possible.has(digest));
    await this.#become(new Map(named.map(([name]) => [name, undefined])), () => this.#options.client.delete(digest));
  }

  #isThere(tag: string): boolean {
    const possible = this.#tags.get(tag) ?? new Set();
    return possible.size === 1 && !possible.has(undefined);
  }

  async #become(changes: ReadonlyMap<string, string | undefined>, change: () => Promise<void>): Promise<void> {
    for (const [tag, next] of changes) this.#tags.set(tag, new Set([...(this.#tags.get(tag) ?? []), next]));
    await change();
    for (const [tag, next] of changes) this.#tags.set(tag, new Set([next]));
  }

  /** An image of shared layers, or an index of two, that no other client has. */
  #build(): Pushable {
    if (this.#options.random() < 0.7) return this.#buildImage();
    const images = [this.#buildImage(), this.#buildImage()];
    const mediaType = `${ofOci}.index.v1+json`;
    const manifests = images.map(({ digest, bytes, mediaType }) => ({ mediaType, digest, size: bytes.length }));
    return { ...json({ schemaVersion: 2, mediaType, manifests }), mediaType, images, blobs: [] };
  }

  #buildImage(): Pushable {
    const layers = [this.#pick(sharedLayers), this.#pick(sharedLayers), contentOf(`${this.#options.name} alone`)];
    return imageOf(json({ made: `${this.#options.name} ${++this.#serial}` }), layers);
  }

  #pick<T>(those: readonly T[]): T {
    return those[Math.floor(this.#options.random() * those.length)] as T;
  }
}

/** Of up to a hundred kilobytes. */
const sharedLayers = Array.from({ length: 12 }, (_, number) => contentOf(`layer ${number} `.repeat(900 * number + 1)));

function json(value: unknown) {
  return contentOf(JSON.stringify(value));
}
