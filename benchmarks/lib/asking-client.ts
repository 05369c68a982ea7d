/**
 * Sends requests to a server in a loop, in a separate process, so that the program that pushes does not affect the measurement.
 * Arguments: addresses, each optionally followed by a space and its authorization. When the parent sends "stop", this process replies
 * with the times in milliseconds.
 */
import { setTimeout as delay } from "node:timers/promises";

const questions = process.argv.slice(2).map((argument) => {
  const [url = "", ...authorization] = argument.split(" ");
  return { url, headers: authorization.length === 0 ? {} : { authorization: authorization.join(" ") } };
});
const periodMs = 10;
const times: number[] = [];
let isDone = false;

process.once("message", () => {
  isDone = true;
});
process.send?.("asking");
for (let at = 0; !isDone; at++) {
  const { url, headers } = questions[at % questions.length] ?? { url: "", headers: {} };
  const from = performance.now();
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  times.push(performance.now() - from);
  await delay(periodMs);
}
process.send?.(times, () => process.disconnect());
