import { expect } from "vitest";
import type { Answered } from "../exchange.ts";
import type { SampledResource } from "./samples.ts";
import type { StatementsWorld } from "./world.ts";

/** A statement of the scanner's contract. */
export interface ScannerStatement {
  readonly line: number;
  /** A word of that line, so that the row is known to be about it. */
  readonly word: string;
  readonly description: string;
  check(world: StatementsWorld): Promise<void>;
}

export const indexReport = "/indexer/api/v1/index_report";
export const vulnerabilityReport = "/matcher/api/v1/vulnerability_report";
export const notification = "/notifier/api/v1/notification";
export const affectedManifest = "/indexer/api/v1/internal/affected_manifest";
export const updateOperation = "/matcher/api/v1/internal/update_operation";
export const updateDiff = "/matcher/api/v1/internal/update_diff";
/** The digest of no image. */
export const unknown = `sha256:${"0".repeat(64)}`;
/** What a text, a digest, a boolean and so on are. */
export const text = expect.any(String);
export const digest = expect.stringMatching(/^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/);
export const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const object = expect.any(Object);
export const list = expect.any(Array);
export const word = expect.stringMatching(/^[0-9a-z._-]+$/);

/** The media type of a resource. */
export const typeOf = (name: string) => `application/vnd.scanner.${name}.v1+json`;

/** A refusal as the contract writes it. */
export function expectError({ status, headers, json }: Answered, expected: number): void {
  expect([status, headers["content-type"]]).toEqual([expected, typeOf("error")]);
  expect(json).toEqual({ code: text, message: expect.stringMatching(/./) });
}

/** A success with a body, as the contract writes it. */
export function expectBody({ status, headers }: Answered, expected: number, type: string): void {
  expect([status, headers["content-type"]]).toEqual([expected, typeOf(type)]);
}

/** That an answer announces the trailer of errors. */
export function expectTrailer({ headers }: Answered): void {
  expect(String(headers.trailer)).toBe("Scanner-Error");
}

/** That an operation answers 400 and 415 to what it cannot answer otherwise. */
export async function expectRefusals(
  { ask }: StatementsWorld,
  { method, path }: { readonly method: string; readonly path: string },
  request?: { readonly type: string; readonly body: unknown },
): Promise<void> {
  const asked = (accept: string, type = request?.type) => ({
    ...{ method, body: request?.body },
    headers: { accept, ...(type !== undefined && { "content-type": typeOf(type) }) },
  });
  expectError(await ask(path, asked("text/html")), 415);
  expectError(await ask(path, asked("foo")), 400);
  if (request === undefined) return;
  expectError(await ask(path, asked("application/json", "other")), 415);
  expectError(await ask(path, { ...asked("application/json"), body: "{" }), 400);
}

/** How a member of a resource is there: in each object, in some, or only in those that our data has none of. */
type Presence = "required" | "optional" | "rare";

/**
 * A row of a resource's table: the service publishes the member, required or not, and every object that it answers has it
 * in that form.
 */
export function member(
  line: number,
  path: `${SampledResource}.${string}`,
  { presence = "optional", form }: { readonly presence?: Presence; readonly form: unknown },
): ScannerStatement {
  const [resource, name] = path.split(".") as [SampledResource, string];
  return {
    line,
    word: name,
    description: `${resource} has ${name}, ${presence === "required" ? "required" : "optional"}`,
    check: async ({ published, samples }) => {
      const schema = published.components.schemas[resource];
      const objects = samples[resource];
      const values = objects.filter((each) => name in each).map((each) => each[name]);
      expect(Object.keys(schema?.properties ?? {})).toContain(name);
      if (presence === "required") expect(schema?.required).toContain(name);
      if (presence === "required") expect(values).toHaveLength(objects.length);
      if (presence !== "rare") expect(values).not.toEqual([]);
      for (const value of values) expect(value).toEqual(form);
    },
  };
}
