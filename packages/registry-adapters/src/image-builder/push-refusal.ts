/**
 * The reason why a registry does not accept an image, so that another push would not succeed either. Undefined for failures that may pass:
 * no answer, a server error, too many requests.
 *
 * buildah ends with `Error: …: <code>: <message>` where the registry's answer has an error of the protocol (the code in lower case, with
 * spaces), and with `Error: …: StatusCode: <number>, <body>` where it has none.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#error-codes
 * @example
 * pushRefusal(["Error: writing blob: denied: the quota is used up"]); // "denied: the quota is used up"
 */
export function pushRefusal(lines: readonly string[]): string | undefined {
  const last = lines.findLast((line) => line.startsWith("Error: ")) ?? "";
  const [, refusal] = withCode.exec(last) ?? withStatus.exec(last) ?? [];
  return refusal;
}

/** Codes of the protocol whose cause does not pass. */
const withCode =
  /: ((?:denied|invalid request|manifest invalid|name invalid|name unknown|size invalid|tag invalid|unsupported): [^,)]+)/;

/** Without 408, 425 and 429, after which a client is to try again. */
const withStatus = /: (StatusCode: 4(?!08|25|29)\d\d)/;
