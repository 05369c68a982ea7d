import type { SendFigures } from "@plimsoll/http";

/** What has become of connections, of responses, and of the bodies of requests. */
export interface TrafficFigures {
  readonly connections: { readonly open: number; readonly ended: ReadonlyMap<string, number> };
  readonly sends: SendFigures;
  readonly bodies: { readonly open: number; readonly cut: number };
}

/** The reasons for which responses are cut, all of which have a value from the start. */
const reasons = ["stalled", "slow", "crowded"] as const;

/** The reasons for which connections are closed, all of which have a value from the start. */
const ends = ["idle", "crowded", "refused"] as const;

/** The metrics of connections, responses and bodies in Prometheus' text format. */
export function trafficText({ connections, sends, bodies }: TrafficFigures): string {
  const cut = reasons.map((reason) => `plimsoll_sends_cut_total{reason="${reason}"} ${sends.cut.get(reason) ?? 0}`);
  const ended = ends.map((reason) => {
    return `plimsoll_connections_closed_total{reason="${reason}"} ${connections.ended.get(reason) ?? 0}`;
  });
  return [
    ...metric("plimsoll_open_connections", "gauge", "Connections of clients."),
    `plimsoll_open_connections ${connections.open}`,
    ...metric(
      "plimsoll_connections_closed_total",
      "counter",
      "Idle or too many connections that were closed, by reason.",
    ),
    ...ended,
    ...metric("plimsoll_open_sends", "gauge", "Response bodies that are being sent."),
    `plimsoll_open_sends ${sends.open}`,
    ...metric("plimsoll_send_bytes", "gauge", "Bytes in memory that clients have not read yet."),
    `plimsoll_send_bytes ${sends.heldBytes}`,
    ...metric(
      "plimsoll_sends_cut_total",
      "counter",
      "Responses that were cut because their clients did not read, by reason.",
    ),
    ...cut,
    ...metric("plimsoll_sends_refused_total", "counter", "Requests that were refused because too much was being sent."),
    `plimsoll_sends_refused_total ${sends.refused}`,
    ...metric("plimsoll_open_bodies", "gauge", "Request bodies that are being received."),
    `plimsoll_open_bodies ${bodies.open}`,
    ...metric("plimsoll_bodies_cut_total", "counter", "Request bodies that were cut because they came too slowly."),
    `plimsoll_bodies_cut_total ${bodies.cut}`,
    "",
  ].join("\n");
}

function metric(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
