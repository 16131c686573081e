import { Folded } from "../parts/Folded";

/** What is recorded of the game: in full until the first move, then folded. */
export function Recorded({ sentences, folded = false }: { sentences: readonly string[]; folded?: boolean }) {
  const list = () => (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
  if (folded) return <Folded summary="What is recorded">{list}</Folded>;
  return (
    <aside class="note recorded" aria-label="What is recorded">
      <strong>Before your first move: what is recorded</strong>
      {list()}
    </aside>
  );
}
