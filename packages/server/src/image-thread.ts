/** The program of a thread that answers a question about a large image. */
import { parentPort, workerData } from "node:worker_threads";
import { serveQuestion } from "./registry/serve-question.ts";

if (parentPort !== null) await serveQuestion(parentPort, workerData);
