import { expect } from "vitest";
import { ConnectionBroken, contentOf, type Pushable, PushClient } from "./push-client.ts";

/** One request of {@link OutageClients}. */
export interface OutageRequest {
  readonly method: string;
  /** Below the repository, or from `/` on. */
  readonly path: string;
  readonly expected: readonly number[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/**
 * Clients of one repository on a server whose dependencies go away, and what they were told: whatever is neither expected nor a
 * 503 in the form of its API, with `Retry-After` and in time, is unexpected.
 */
export class OutageClients {
  readonly unexpected: string[] = [];
  /** Answers 503 in the API's own form. */
  unavailable = 0;
  /** Whether a connection may break now: of an answer that had begun when what it comes from went away. */
  mayBreak: (begunMs: number) => boolean = () => false;
  readonly #client: PushClient;
  readonly #base: string;
  readonly #patienceMs: number;
  readonly #acknowledged = new Map<string, string>();
  #answered = 0;
  #waiting: (() => boolean)[] = [];

  /** @param patienceMs longer takes no answer, whatever happens to the server */
  constructor(base: string, token: string, patienceMs: number) {
    this.#base = base;
    this.#client = new PushClient(base, token);
    this.#patienceMs = patienceMs;
  }

  push(image: Pushable, tag: string): Promise<void> {
    return this.#client.push(image, { tag });
  }

  /** Resolves when so many more requests succeeded. */
  progress(count: number): Promise<void> {
    const aim = this.#answered + count;
    return this.#when(() => this.#answered >= aim);
  }

  /** Resolves when so many more requests were answered 503. */
  refusals(count: number): Promise<void> {
    const aim = this.unavailable + count;
    return this.#when(() => this.unavailable >= aim);
  }

  /** To be remembered: it must be there in the end. */
  acknowledged(reference: string, digest: string): void {
    this.#acknowledged.set(reference, digest);
  }

  async checkAcknowledged(): Promise<void> {
    expect(this.#acknowledged.size).toBeGreaterThan(0);
    for (const [reference, digest] of this.#acknowledged)
      expect([reference, await this.#client.pull(reference)]).toEqual([reference, digest]);
  }

  /** @returns the answer where it was an expected one, and its body */
  async ask(asked: OutageRequest): Promise<{ readonly headers: Headers; readonly bytes: Uint8Array } | undefined> {
    const { method, path, expected, headers = {}, body } = asked;
    const init = { headers, redirect: "manual" as const, body: body && Buffer.from(body) };
    const signal = AbortSignal.timeout(this.#patienceMs);
    const begunMs = performance.now();
    try {
      const answer = await this.#client.ask(method, path, { expected: [...expected, 503], init: { ...init, signal } });
      const bytes = await answer.bytes();
      if (answer.status === 503) this.#countUnavailable(asked, answer, Buffer.from(bytes).toString());
      else this.#answered++;
      this.#waiting = this.#waiting.filter((isOver) => !isOver());
      return expected.includes(answer.status) ? { headers: answer.headers, bytes } : undefined;
    } catch (error) {
      const isBroken = error instanceof ConnectionBroken || error instanceof TypeError;
      const isAllowed = isBroken && !signal.aborted && this.mayBreak(begunMs);
      if (!isAllowed) this.unexpected.push(`${method} ${new URL(path, this.#base).pathname}: ${String(error)}`);
      return undefined;
    }
  }

  #countUnavailable({ method, path }: OutageRequest, { headers }: Response, text: string): void {
    this.unavailable++;
    const isManagement = new URL(path, this.#base).pathname.startsWith("/api/");
    const isOwnForm = isManagement ? text.includes('"title":"unavailable"') : text.startsWith('{"errors":[{"code":"');
    if (!isOwnForm || headers.get("retry-after") === null)
      this.unexpected.push(`${method} ${path}: 503 in another form: ${text}`);
  }

  #when(isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        if (isOver()) resolve();
        return isOver();
      });
    });
  }
}

export const manifestType = "application/vnd.oci.image.manifest.v1+json";

/** An image manifest of these layers, with an empty configuration; names make manifests differ. */
export function manifestOf(name: string, layers: readonly ReturnType<typeof contentOf>[] = []): Pushable {
  const config = contentOf("{}");
  const described = (mediaType: string, { digest, bytes }: typeof config) => ({
    mediaType,
    digest,
    size: bytes.length,
  });
  const manifest = contentOf(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: described("application/vnd.oci.image.config.v1+json", config),
      layers: layers.map((layer) => described("application/vnd.oci.image.layer.v1.tar", layer)),
      annotations: { name },
    }),
  );
  return { ...manifest, mediaType: manifestType, blobs: [config, ...layers], images: [] };
}
