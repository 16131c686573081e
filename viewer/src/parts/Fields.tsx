// Fields of a row of filters. Each keeps nothing itself: its value is the caller's, which has it from the URL.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { plain } from "../text";

interface SelectProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (string | readonly [value: string, words: string])[];
  /** What choosing nothing is called; without it something is always chosen. */
  readonly none?: string;
  readonly onChange: (value: string) => void;
  readonly disabled?: boolean;
}

export function Select({ label, value = "", options, none, onChange, disabled = false }: SelectProps) {
  const id = useId();
  const pairs = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  // What a shared link asks for is shown even where nothing has it.
  const unknown = value !== "" && !pairs.some(([known]) => known === value);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} disabled={disabled} onChange={(event) => onChange(event.currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {unknown && <option value={value}>{plain(value)}</option>}
        {pairs.map(([known, words]) => (
          <option key={known} value={known}>
            {plain(words)}
          </option>
        ))}
      </select>
    </div>
  );
}

interface InputProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "search" | "number";
  readonly placeholder?: string;
  readonly size?: number;
}

const PAUSE = 350;

/** What is typed is told when the typing pauses. */
export function Input({ label, value = "", onChange, type = "text", placeholder, size }: InputProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const typing = useRef(false);
  useEffect(() => {
    if (!typing.current) setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (next: string) => {
    typing.current = false;
    clearTimeout(timer.current);
    if (next !== value) onChange(next);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={text}
        placeholder={placeholder}
        size={size}
        min={type === "number" ? 0 : undefined}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          typing.current = true;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => tell(next), PAUSE);
        }}
        onKeyDown={(event) => event.key === "Enter" && tell(event.currentTarget.value)}
        onBlur={(event) => tell(event.currentTarget.value)}
      />
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string, title?: string])[];
  readonly onChange: (value: string) => void;
}

/** A choice between a few, all in sight. */
export function Switch({ label, value, options, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div class="field">
      <span class="label" id={id}>
        {label}
      </span>
      <div class="switch" role="group" aria-labelledby={id}>
        {options.map(([option, words, title]) => (
          <button
            key={option}
            type="button"
            aria-pressed={option === value}
            title={title}
            onClick={() => onChange(option)}
          >
            {words}
          </button>
        ))}
      </div>
    </div>
  );
}

interface ChoicesProps {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChange: (chosen: string[]) => void;
}

/** Any number of a few things, each on or off. */
export function Choices({ label, chosen, options, onChange }: ChoicesProps) {
  const id = useId();
  const known = options.map(([option]) => option);
  const toggled = (option: string) =>
    known.filter((other) => (other === option ? !chosen.includes(other) : chosen.includes(other)));
  return (
    <div class="field">
      <span class="label" id={id}>
        {label}
      </span>
      <div class="choices" role="group" aria-labelledby={id}>
        {options.map(([option, words]) => (
          <button
            key={option}
            type="button"
            aria-pressed={chosen.includes(option)}
            onClick={() => onChange(toggled(option))}
          >
            {words}
          </button>
        ))}
      </div>
    </div>
  );
}
