/** The figures of a real process: every documented one is there, in the format that is said, and no other of ours. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

let folder: TempFolder;
let registry: RegistryProcess;
beforeAll(async () => {
  folder = tempFolder();
  registry = await startRegistry(folder.path);
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Metric {
  readonly type: string;
  readonly labels: ReadonlySet<string>;
}

/** The metrics of the reference by name. */
function documented(): ReadonlyMap<string, Metric> {
  const page = readFileSync(new URL("../docs/reference/metrics.md", import.meta.url), "utf8");
  const rows = page.matchAll(/^\| `(?<name>\w+)` \| (?<type>\w+) \|(?<labels>[^|]*)\|/gm);
  return new Map(
    Array.from(rows, ({ groups: { name = "", type = "", labels = "" } = {} }) => [
      name,
      { type, labels: new Set(Array.from(labels.matchAll(/`(\w+)`/g), ([, label = ""]) => label)) },
    ]),
  );
}

const sampleLine =
  /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (?<value>[+-]?(?:[\d.]+(?:e[+-]?\d+)?|Inf)|NaN)$/;

/**
 * The metrics of an answer by name: each has its help, its type and then its samples.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
function parse(text: string): ReadonlyMap<string, Metric> {
  expect(text.endsWith("\n")).toBe(true);
  const metrics = new Map<string, { readonly type: string; readonly labels: Set<string> }>();
  let [helped, current] = ["", ""];
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line) ?? [];
    if (word === "HELP") helped = name;
    else if (word === "TYPE") {
      expect([name, metrics.has(name)]).toEqual([helped, false]);
      metrics.set(name, { type: rest, labels: new Set() });
      current = name;
    } else {
      const { groups } = sampleLine.exec(line) ?? {};
      expect(groups, line).toBeDefined();
      const metric = metrics.get(current);
      const parts = metric?.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      expect(parts.map((part) => current + part)).toContain(groups?.name);
      for (const [, label = ""] of (groups?.labels ?? "").matchAll(/(\w+)="/g))
        if (label !== "le") metric?.labels.add(label);
    }
  }
  return metrics;
}

const scrape = async () => (await fetch(`${registry.process.healthUrl}/metrics`)).text();

describe("/metrics", () => {
  it("has every documented metric, with its type and no labels but its own, and no other", async () => {
    await registry.call("GET", "/user/");
    const expected = documented();
    const found = new Map([...parse(await scrape())].filter(([name]) => name.startsWith("plimsoll_")));

    expect([...found.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
    for (const [name, { type, labels }] of found) {
      expect([name, type]).toEqual([name, expected.get(name)?.type]);
      expect([name, ...[...labels].filter((label) => !expected.get(name)?.labels.has(label))]).toEqual([name]);
    }
  });

  it("names metrics as Prometheus wants it: counters end in _total, and units are base units", () => {
    for (const [name, { type }] of documented()) {
      expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb|megabytes)(_|$)/);
    }
  });

  it("counts what was done: jobs, and what the collection found", async () => {
    const job = 'plimsoll_job_seconds_count{kind="registry.collect-garbage",result="done"} 1';

    await expect.poll(scrape, { interval: 500 }).toContain(job);
    await expect
      .poll(scrape, { interval: 500 })
      .toMatch(
        /^plimsoll_storage_bytes\{store="files"\} 0\n[\s\S]*^plimsoll_collection_last_success_timestamp_seconds \d/m,
      );
  });
});
