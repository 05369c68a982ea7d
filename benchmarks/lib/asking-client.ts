/**
 * Asks a server over and over from a process of its own, so that what the pushing program does is not measured. Arguments: addresses,
 * each with its authorization behind a blank where it needs one. The parent sends "stop" and is sent the times, in milliseconds.
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
