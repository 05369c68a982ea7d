import { describe, expect, it } from "vitest";
import type { IndexRecord } from "../../plugins/matcher.ts";
import { java } from "./index.ts";

const repositories = [{ id: "1", name: "maven" }];
const recordOf = (name: string, version: string): IndexRecord => ({
  package: { id: "1", name, version, kind: "BINARY" },
  packageDb: "a.jar",
  repositories,
});

describe("java", () => {
  const [matcher] = java.matchers;

  it("looks up advisories by group and artifact", () => {
    expect(matcher?.keys(recordOf("org.springframework:spring-web", "5.3.20"))).toEqual([
      { ecosystem: "Maven", name: "org.springframework:spring-web" },
    ]);
  });

  it("looks up nothing by an artifact alone", () => {
    const record = recordOf("spring-web", "5.3.20");

    expect([matcher?.accepts(record), matcher?.keys(record)]).toEqual([false, []]);
  });
});
