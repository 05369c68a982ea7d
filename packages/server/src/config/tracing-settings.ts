import { trimEnd } from "@plimsoll/core/internal";
import { UsageError } from "../cli/exit-code.ts";
import { checkHeaders } from "./check-headers.ts";
import { reportingSettings } from "./settings/running-settings.ts";
import type { GivenSettings } from "./settings.ts";

/** Where spans are sent, and which share of traces. */
export interface TracingSettings {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The share of traces that are sent, of those that start here: from 0 to 1. */
  readonly sampleRatio: number;
}

type Given = Pick<GivenSettings, "tracesEndpoint" | "tracesHeaders" | "tracesSampleRatio">;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Resolves the settings of traces: those of plimsoll, then the variables of OpenTelemetry.
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 * @throws UsageError
 */
export function tracesOf(given: Given, env: Variables): { readonly traces?: TracingSettings } {
  const [place, endpoint] = endpointOf(given, env);
  if (endpoint === undefined) {
    for (const name of ["tracesHeaders", "tracesSampleRatio"] as const) {
      if (given[name] !== undefined) throw new UsageError(`${name} without tracesEndpoint: no traces are sent`);
    }
    return {};
  }
  const { tracesSampleRatio: sampleRatio = reportingSettings.tracesSampleRatio.default } = given;
  return { traces: { endpoint: checkEndpoint(place, endpoint), headers: headersOf(given, env), sampleRatio } };
}

function endpointOf({ tracesEndpoint }: Given, env: Variables): readonly [place: string, endpoint: string | undefined] {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces, OTEL_EXPORTER_OTLP_ENDPOINT: ofAll } = env;
  if (tracesEndpoint !== undefined) return ["tracesEndpoint", tracesEndpoint];
  if (ofTraces) return ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", ofTraces];
  return ["OTEL_EXPORTER_OTLP_ENDPOINT", ofAll ? `${trimEnd(ofAll, "/")}/v1/traces` : undefined];
}

/** Messages do not contain the address, because it may have a password. */
function checkEndpoint(place: string, given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (url !== undefined && isHttp && url.username === "" && url.password === "") return url.href;
  throw new UsageError(`${place}: expected http://HOST:PORT/PATH or https://…, without a user name and a password`);
}

function headersOf({ tracesHeaders }: Given, env: Variables): Readonly<Record<string, string>> {
  const { OTEL_EXPORTER_OTLP_TRACES_HEADERS: ofTraces } = env;
  const variable = ofTraces ? "OTEL_EXPORTER_OTLP_TRACES_HEADERS" : "OTEL_EXPORTER_OTLP_HEADERS";
  const place = tracesHeaders === undefined ? variable : "tracesHeaders";
  const headers = tracesHeaders ?? parseHeaders(variable, env[variable] ?? "");
  checkHeaders(place, headers);
  return headers;
}

/** Parses `name=value,name=value`, with percent-encoded values. */
function parseHeaders(variable: string, given: string): Readonly<Record<string, string>> {
  const pairs = given.split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 0) throw new UsageError(`${variable}: expected NAME=VALUE,NAME=VALUE`);
      return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
    }),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // has a literal percent sign
  }
}
