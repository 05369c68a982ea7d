import { describe, expect, it } from "vitest";
import { RequestFigures, readAtMostEvery } from "./metrics.ts";

describe("RequestFigures", () => {
  it("counts by operation, method and status, and durations up to each bound", () => {
    const figures = new RequestFigures();
    const answered = { operation: "/things", method: "GET", status: 200 };

    figures.observe({ ...answered, seconds: 0.0005 });
    figures.observe({ ...answered, seconds: 0.001 });
    figures.observe({ ...answered, status: 404, seconds: 0.25 });
    figures.observe({ ...answered, method: "POST", seconds: 512 });

    expect(
      figures
        .text()
        .split("\n")
        .filter((line) => !line.startsWith("#")),
    ).toEqual([
      'plimsoll_requests_total{operation="/things",method="GET",status="200"} 2',
      'plimsoll_requests_total{operation="/things",method="GET",status="404"} 1',
      'plimsoll_requests_total{operation="/things",method="POST",status="200"} 1',
      ...histogram("GET", { buckets: [2, 2, 2, 2, 3, 3, 3, 3, 3], sum: 0.2515, count: 3 }),
      ...histogram("POST", { buckets: [0, 0, 0, 0, 0, 0, 0, 0, 0], sum: 512, count: 1 }),
      "",
    ]);
  });
});

function histogram(
  method: string,
  { buckets, sum, count }: { readonly buckets: readonly number[]; readonly sum: number; readonly count: number },
): string[] {
  const labels = `operation="/things",method="${method}"`;
  const bounds = ["0.001", "0.005", "0.025", "0.1", "0.5", "2.5", "10", "60", "300"];
  return [
    ...bounds.map((bound, index) => `plimsoll_request_seconds_bucket{le="${bound}",${labels}} ${buckets[index]}`),
    `plimsoll_request_seconds_bucket{le="+Inf",${labels}} ${count}`,
    `plimsoll_request_seconds_sum{${labels}} ${sum}`,
    `plimsoll_request_seconds_count{${labels}} ${count}`,
  ];
}

it("readAtMostEvery reads once per interval, and again after a failure", async () => {
  let [time, reads, fails] = [0, 0, false];
  const read = readAtMostEvery(
    10,
    async () => {
      reads += 1;
      if (fails) throw new Error("no database");
      return reads;
    },
    () => time,
  );

  const first = [await read(), await read()];
  time = 10;
  fails = true;
  await expect(read()).rejects.toThrow("no database");
  fails = false;

  expect([...first, await read()]).toEqual([1, 1, 3]);
});
