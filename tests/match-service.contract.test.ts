/** What every matcher promises, kept by one behind its API. */
import { parseDigest } from "@plimsoll/core/digest";
import {
  engineTitle,
  type MatchDiff,
  type MatchServiceSubject,
  matchServiceContract,
  testEngines,
} from "@plimsoll/testing";
import { describe, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker, startTestService } from "./support/scanner-service.ts";

const image = await debianImage(["zlib 1.2"]);
const indexed = parseDigest(image.digest);
const unknown = parseDigest(`sha256:${"0".repeat(64)}`);

/** The matcher at an address. What is answered by an error is thrown. */
function httpMatcher(url: string): MatchServiceSubject {
  async function ask<T>(path: string, method = "GET"): Promise<T> {
    const { status, text } = await exchange(`${url}/matcher/api/v1/${path}`, { method });
    if (status >= 300) throw new Error(`${status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
  const query = (values: object) =>
    new URLSearchParams(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));
  return {
    report: (digest) => ask(`vulnerability_report/${digest}`),
    async batch(digests) {
      const body = [...digests];
      const { text } = await exchange(`${url}/matcher/api/v1/internal/vulnerability_report`, { method: "POST", body });
      const lines = text.split("\n").filter((line) => line !== "");
      return lines.map((line) => {
        const { manifest_hash, report } = JSON.parse(line);
        return [manifest_hash, report];
      });
    },
    updateOperations: (asked) => ask(`internal/update_operation?${query(asked)}`),
    updateDiff: (refs) => ask<MatchDiff>(`internal/update_diff?${query(refs)}`),
    deleteUpdateOperation: (ref) => ask(`internal/update_operation/${ref}`, "DELETE"),
  };
}

describe.each(testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a matcher behind its API on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each([...matchServiceContract])("$name", async ({ run }) => {
      await using database = await engine.create();
      const noFix = { urgency: "medium" };
      await loadTracker(database.location, { zlib: { "CVE-2024-0001": { fixed: "1.3", urgency: "low" } } });
      await loadTracker(database.location, {
        zlib: { "CVE-2024-0001": { fixed: "1.4", urgency: "low" }, "CVE-2024-0002": noFix },
        expat: { "CVE-2024-0002": noFix },
      });
      await using service = await startTestService(database.location);
      await exchange(`${service.url}/indexer/api/v1/index_report`, {
        method: "POST",
        body: service.manifestOf(image),
        headers: { "content-type": "application/json" },
      });

      await run({ matcher: httpMatcher(service.url), indexed, unknown });
    });
  },
);
