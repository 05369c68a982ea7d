import { DownloadIcon } from "@primer/octicons-react";
import { call } from "../api/call.ts";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";
import { Failure } from "../shared/failure.tsx";
import { texts } from "../texts/texts.ts";
import { type ShownImage, useShownImage } from "./shown-image.ts";

const words = texts.downloads;

type Format = keyof typeof words.formats;

/** The report of the image as a file, in the formats of other tools. */
export function Downloads() {
  const image = useShownImage();
  const download = useOneAtATime({ mutationFn: (format: Format) => saveReport(image, format) });
  return (
    <section className="actions" aria-label={words.title}>
      <span className="detail">
        <DownloadIcon /> {words.title}
      </span>
      {(Object.keys(words.formats) as Format[]).map((format) => (
        <button key={format} type="button" disabled={download.isPending} onClick={() => download.mutate(format)}>
          {words.formats[format]}
        </button>
      ))}
      {download.data === null && <p role="status">{words.noReport}</p>}
      {download.isError && <Failure error={download.error} />}
    </section>
  );
}

async function saveReport({ repository, digest }: ShownImage, format: Format) {
  const params = { repository, manifestref: digest };
  const { document: file } = await call("GET /repository/{repository}/manifest/{manifestref}/security/report", {
    params,
    query: { format },
  });
  if (file !== null) saveFile(file.file_name, new Blob([file.content], { type: file.media_type }));
  return file;
}

function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
