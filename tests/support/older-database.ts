import { createFileBlobStore, createRegistry, type RegistryTables } from "@plimsoll/registry-api";
import type { Store } from "@plimsoll/store";
import fastify from "fastify";

/** What a registry answered, by the path that was asked for. */
export type Answers = Readonly<Record<string, { readonly status: number; readonly body: unknown }>>;

/** The registry of an older version, as `answers.json` describes it. */
export interface OlderRegistry {
  /** An OAuth token with every scope, of an admin who is a superuser as well. */
  readonly token: string;
  /** When it was asked, in epoch milliseconds. */
  readonly now: number;
  /** The digest of an image that was pushed. */
  readonly digest: string;
  /** What it was given an id for. */
  readonly ids: Readonly<Record<string, string>>;
  readonly answers: Answers;
}

/** Asks the registry of this version for what an older one has kept. @param blobs the folder of its blobs */
export async function askOlderRegistry(
  store: Store<RegistryTables>,
  blobs: string,
  { token, now, answers }: OlderRegistry,
): Promise<Answers> {
  const registry = createRegistry({
    store,
    blobs: createFileBlobStore(blobs),
    key: new Uint8Array(32).fill(7),
    settings: {
      superusers: ["root", "ada"],
      features: { proxyCache: true, autoPrune: true, builds: true, mirroring: true, repositoryNotifications: true },
    },
    ports: { clock: { now: () => now } },
  });
  const app = fastify();
  registry.register(app);
  const given: Record<string, Answers[string]> = {};
  for (const url of Object.keys(answers)) {
    const authorization = url.startsWith("/v2") ? `Basic ${btoa(`$oauthtoken:${token}`)}` : `Bearer ${token}`;
    const accept = "application/json, application/vnd.oci.image.manifest.v1+json";
    const headers = { authorization, host: "registry.example", accept };
    const { statusCode: status, payload } = await app.inject({ method: "GET", url, headers });
    given[url] = { status, body: /^[{[]/.test(payload) ? JSON.parse(payload) : payload };
  }
  await app.close();
  return given;
}
