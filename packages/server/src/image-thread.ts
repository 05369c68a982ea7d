/** The program of a thread that answers questions about large images. */
import { parentPort, workerData } from "node:worker_threads";
import { serveQuestions } from "./registry/serve-question.ts";

if (parentPort !== null) await serveQuestions(parentPort, workerData);
