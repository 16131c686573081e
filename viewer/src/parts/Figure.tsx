// A figure that the report draws too.
import { useEffect, useRef } from "preact/hooks";
import { readSvg } from "../board/svg";
import { PlainText } from "./TextBlock";

export function Figure({ title, svg, words }: { title: string; svg: string; words: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const drawn = readSvg(svg);
    if (drawn) drawn.style.minWidth = `${Math.min(540, drawn.viewBox.baseVal.width)}px`;
    place.current?.replaceChildren(...(drawn ? [drawn] : []));
  }, [svg]);
  return (
    <figure class="figure">
      <figcaption>
        <h3>
          <PlainText text={title} />
        </h3>
        {words && <p class="muted">{words}</p>}
      </figcaption>
      <div class="scroll" tabIndex={0} role="region" aria-label={title} ref={place} />
    </figure>
  );
}
