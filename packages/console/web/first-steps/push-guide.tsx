import { Command } from "../shared/command.tsx";
import { texts } from "../texts/texts.ts";

/** The commands with which a client signs in and pushes the first image. */
export function PushGuide({ username }: { readonly username: string }) {
  const { host } = window.location;
  const image = `${host}/${username}/app:1`;
  return (
    <section aria-labelledby="push-guide">
      <h2 id="push-guide">{texts.push.title}</h2>
      <ol className="steps">
        <li>
          {texts.push.signIn}
          <Command line={`docker login --username ${username} ${host}`} />
        </li>
        <li>
          {texts.push.tag}
          <Command line={`docker tag debian:12 ${image}`} />
          <Command line={`docker push ${image}`} />
        </li>
      </ol>
      <p role="status">{texts.push.waiting}</p>
    </section>
  );
}
