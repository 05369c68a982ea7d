import { invalidRequest, RegistryError } from "@plimsoll/registry/errors";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import { apiErrorBody } from "../http/api-error.ts";
import { DistributionError } from "./distribution-error.ts";

/** A response of HTTP/1.1 or HTTP/2. */
export interface RawResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  end(body: string): unknown;
}

/** Answers a request that has no route because its URL cannot be decoded: Fastify's `frameworkErrors`. */
export type RefuseMalformedUrl = (
  error: { readonly code: string; readonly message: string },
  request: { readonly url: string },
  reply: { readonly raw: RawResponse },
) => void;

/** Refuses malformed URLs in the form of the API that they begin with; `code` is for clients of the scanner. */
export function refuseMalformedUrls(settings: RegistrySettings): RefuseMalformedUrl {
  return ({ code, message }, { url }, { raw }) => {
    const isDistribution = /^\/v2(?:\/|$)/.test(url);
    const body = isDistribution
      ? new DistributionError("INVALID_REQUEST", message).toJSON()
      : { ...apiErrorBody(invalidRequest(message), settings), code };
    raw.writeHead(400, { "content-type": "application/json; charset=utf-8", "x-content-type-options": "nosniff" });
    raw.end(JSON.stringify(body));
  };
}

/** The JSON body of a refusal of a request without a route, in the form of the API that the address belongs to. */
export type RefusalBody = (
  url: string | undefined,
  refusal: { readonly status: number; readonly message: string },
) => string;

/** Creates refusal bodies; if the URL is unknown, in the form of the management API. */
export function refusalBodies(settings: RegistrySettings): RefusalBody {
  return (url = "", { status, message }) =>
    JSON.stringify(
      /^\/v2(?:\/|$)/.test(url)
        ? new DistributionError("INVALID_REQUEST", message)
        : { ...apiErrorBody(invalidRequest(message), settings), status },
    );
}

/** Refuses requests that arrive while the server stops, in the form of the API that they are for. */
export type RefuseUnavailable = (
  request: { readonly url: string },
  reply: { readonly raw: RawResponse },
  retryAfterSeconds: number,
) => void;

/** The refusals of a registry that is stopping. */
export function refuseWhileStopping(settings: RegistrySettings): RefuseUnavailable {
  const message = "The registry is stopping: send the request again";
  return ({ url }, { raw }, retryAfterSeconds) => {
    const isDistribution = /^\/v2(?:\/|$)/.test(url);
    const body = isDistribution
      ? new DistributionError("UNKNOWN", message).toJSON()
      : apiErrorBody(new RegistryError("read_only", message), settings);
    raw.writeHead(503, {
      "content-type": "application/json; charset=utf-8",
      "x-content-type-options": "nosniff",
      "retry-after": String(retryAfterSeconds),
    });
    raw.end(JSON.stringify(body));
  };
}
