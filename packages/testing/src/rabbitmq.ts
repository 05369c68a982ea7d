import { readFileSync } from "node:fs";

/** A RabbitMQ server for tests, such as `scripts/start-service.sh rabbitmq` starts. */
export interface TestRabbit {
  /** `amqp://USER:PASSWORD@HOST:PORT` */
  readonly amqp: string;
  readonly amqps: string;
  /** `HOST:PORT` */
  readonly stomp: string;
  readonly stompTls: string;
  /** The certificate of the TLS ports, in PEM. */
  readonly ca: string;
}

/** The server that `PLIMSOLL_TEST_RABBITMQ` names, with its certificate of `PLIMSOLL_TEST_RABBITMQ_CA`; undefined where they are not set. */
export function findRabbit(): TestRabbit | undefined {
  const { PLIMSOLL_TEST_RABBITMQ: address, PLIMSOLL_TEST_RABBITMQ_CA: ca } = process.env;
  if (address === undefined || address === "" || ca === undefined || ca === "") return undefined;
  const at = (offset: number) => {
    const url = new URL(address);
    url.port = String(Number(url.port) + offset);
    return url;
  };
  return {
    amqp: address,
    amqps: at(1).href.replace(/^amqp:/, "amqps:"),
    stomp: at(2).host,
    stompTls: at(3).host,
    ca: readFileSync(ca, "utf8"),
  };
}
