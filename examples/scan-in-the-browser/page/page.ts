import type { Answer, Row } from "./answer.ts";

const status = find("[role=status]");
const table = find("table");
const drop = find("#drop");
const input = find<HTMLInputElement>("input");

/** A scan that takes longer is stopped by terminating its worker. */
const timeoutMs = 60_000;

input.addEventListener("change", () => scan(input.files?.[0]));
drop.addEventListener("dragover", (event) => event.preventDefault());
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  scan(event.dataTransfer?.files[0]);
});

function scan(file: File | undefined): void {
  if (file === undefined) return;
  table.hidden = true;
  status.textContent = `Scanning ${file.name} …`;
  const worker = new Worker("scan.js", { type: "module" });
  const end = (answer: Answer) => {
    clearTimeout(timeout);
    worker.terminate();
    show(answer);
  };
  const timeout = setTimeout(() => end({ kind: "failed", message: "the scan took longer than a minute" }), timeoutMs);
  worker.onmessage = ({ data }: MessageEvent<Answer>) => end(data);
  worker.onerror = ({ message }) => end({ kind: "failed", message });
  worker.postMessage(file);
}

function show(answer: Answer): void {
  if (answer.kind === "failed") {
    status.textContent = `The archive cannot be scanned: ${answer.message}`;
    return;
  }
  const { reference, packages, rows } = answer;
  status.textContent = `${reference}: ${packages} packages, ${rows.length} vulnerabilities`;
  find("tbody").replaceChildren(...rows.map(rowOf));
  table.hidden = rows.length === 0;
}

function rowOf(row: Row): HTMLTableRowElement {
  const line = document.createElement("tr");
  for (const text of row) line.insertCell().textContent = text;
  return line;
}

function find<Found extends HTMLElement = HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}
