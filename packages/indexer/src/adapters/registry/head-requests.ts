import { discardBody, type OutboundResponse } from "@plimsoll/outbound";
import type { Endpoint, EndpointRequest } from "./endpoint.ts";
import { StatusError } from "./refusal.ts";

/** An object of a repository, and the ways to find out something about it. */
export interface Lookup<Found> extends EndpointRequest {
  /** The path below `/v2/REPOSITORY/`. */
  readonly path: string;
  /** Reads the headers of the response to `HEAD`; undefined if they do not tell. */
  read(headers: OutboundResponse["headers"]): Found | undefined;
  /** Finds out the same with `GET`; undefined if the registry does not have the object. */
  get(): Promise<Found | undefined>;
}

/**
 * `HEAD` requests for the objects of one kind. Some registries, and the storages to which they redirect, answer 403, 404, 405 or 501 to every
 * `HEAD`. `GET` is sent then, also for the first 404. If only `GET` finds the object, `HEAD` is not sent any more.
 */
export class HeadRequests {
  readonly #endpoint: Endpoint;
  #habit: "unknown" | "answers" | "refuses" = "unknown";

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Finds out something about an object. @returns undefined if the registry does not have it @throws StatusError; network errors */
  async find<Found>(lookup: Lookup<Found>): Promise<Found | undefined> {
    const headers = this.#habit === "refuses" ? "refused" : await this.#head(lookup);
    if (headers === undefined) return undefined;
    const stated = headers === "refused" ? undefined : lookup.read(headers);
    if (stated !== undefined) return stated;
    const found = await lookup.get();
    if (found !== undefined && headers === "refused") this.#habit = "refuses";
    return found;
  }

  /** @returns undefined if the registry does not have the object */
  async #head({
    path,
    headers,
    signal,
  }: Lookup<unknown>): Promise<OutboundResponse["headers"] | "refused" | undefined> {
    try {
      const options = { headers, signal };
      const response = await this.#endpoint.get(path, { method: "HEAD", ...options });
      await discardBody(response);
      this.#habit = "answers";
      return response.headers;
    } catch (error) {
      if (!(error instanceof StatusError) || !mayConcernHead(error.status)) throw error;
      return error.status === 404 && this.#habit === "answers" ? undefined : "refused";
    }
  }
}

/** Whether `GET` may succeed after this status of `HEAD`: 501, redirects, and 4xx except those that hold for every request. */
function mayConcernHead(status: number): boolean {
  if (status === 401 || status === 408 || status === 425 || status === 429) return false;
  return status === 501 || (status >= 300 && status < 500);
}
