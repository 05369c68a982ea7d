import type { Explanation } from "@plimsoll/scanner";
import { expect, it } from "vitest";
import { explainRenderers } from "./explain-results.ts";

const explanation: Explanation = {
  question: { vulnerability: "CVE-2024-0001" },
  answer: "undecided",
  records: [
    {
      record: {
        package: { id: "1", name: "lib", version: "", kind: "BINARY" },
        packageDb: "lib.jar",
        repositories: [{ id: "1", name: "com.acme:shop", key: "candidate" }],
      },
      answer: "undecided",
      missing: ["group"],
      keys: [],
      feeds: [],
      judgements: [],
      findings: [],
      statements: [],
    },
  ],
  problems: [],
  unassessed: [],
  uncovered: [],
  undecided: ["1 package whose group, vendor or host is not known: lib"],
};

it("gives the reasons of an undecided answer to programs", () => {
  const [text = ""] = explainRenderers([explanation], { several: false }).json({ width: undefined, template: "" });

  expect(JSON.parse(text)).toMatchObject({
    answer: "undecided",
    undecided: ["1 package whose group, vendor or host is not known: lib"],
    packages: [{ not_known: ["group"], candidates: ["com.acme:shop"] }],
  });
});
