import { fullTestTransports, type TestTransport, testTransports, usualTestTransport } from "./transports.ts";

/** How a test's request reaches a server. */
export interface TestArrival {
  readonly transport: TestTransport;
  /** `left out`: the body is chunked in HTTP/1.1, and without `Content-Length` in HTTP/2, as proxies send it. */
  readonly contentLength: "given" | "left out";
  /** For titles of tests. */
  readonly title: string;
}

/** An arrival over a transport, with its title. */
export function arrivalOver(
  transport: TestTransport,
  contentLength: TestArrival["contentLength"] = "given",
): TestArrival {
  return { transport, contentLength, title: `${transport}, the length of bodies ${contentLength}` };
}

/** Every transport, with and without `Content-Length`. */
export const testArrivals: readonly TestArrival[] = testTransports.flatMap((transport) => [
  arrivalOver(transport, "given"),
  arrivalOver(transport, "left out"),
]);

/** The transports of arrivals, each once. */
export function transportsOf(arrivals: readonly TestArrival[]): readonly TestTransport[] {
  return [...new Set(arrivals.map(({ transport }) => transport))];
}

/** The arrivals that long tests use: the two that differ most; all where `PLIMSOLL_TEST_ALL_TRANSPORTS` is set. */
export function fullTestArrivals(): readonly TestArrival[] {
  if (fullTestTransports().length > 1) return testArrivals;
  return [arrivalOver(usualTestTransport(), "given"), arrivalOver("TLS with HTTP/2", "left out")];
}
