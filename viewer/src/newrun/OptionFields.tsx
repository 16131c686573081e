import { useId } from "preact/hooks";
import type { OptionShape, Value } from "./form";

interface Props {
  options: readonly OptionShape[];
  values: Readonly<Record<string, Value>>;
  onChange: (values: Record<string, Value>) => void;
}

/** The options of a game, each by a field of its kind. Only what differs from the default is kept. */
export function OptionFields({ options, values, onChange }: Props) {
  const set = (option: OptionShape, value: Value | undefined) => {
    const { [option.name]: _, ...rest } = values;
    onChange(value === undefined || value === option.default ? rest : { ...rest, [option.name]: value });
  };
  return (
    <div class="option-fields">
      {options.map((option) => (
        <Field key={option.name} option={option} value={values[option.name] ?? option.default} onChange={(value) => set(option, value)} />
      ))}
    </div>
  );
}

interface FieldProps {
  option: OptionShape;
  value: Value;
  onChange: (value: Value | undefined) => void;
}

function Field({ option, value, onChange }: FieldProps) {
  const id = useId();
  const words = option.words.replace(/``/g, "");
  return (
    <div class="field option-field">
      <label for={id}>{option.name.replace(/_/g, " ")}</label>
      <FieldInput id={id} option={option} value={value} onChange={onChange} />
      {words ? (
        <p class="muted small" id={`${id}-words`}>
          {words}
        </p>
      ) : null}
    </div>
  );
}

function FieldInput({ id, option, value, onChange }: FieldProps & { id: string }) {
  const described = option.words ? `${id}-words` : undefined;
  if (option.kind === "bool") {
    return (
      <input id={id} type="checkbox" checked={value === true} aria-describedby={described} onChange={(event) => onChange(event.currentTarget.checked)} />
    );
  }
  if (option.kind === "choice") {
    return (
      <select id={id} value={String(value)} aria-describedby={described} onChange={(event) => onChange(option.choices[event.currentTarget.selectedIndex])}>
        {option.choices.map((choice) => (
          <option key={String(choice)} value={String(choice)}>
            {String(choice)}
          </option>
        ))}
      </select>
    );
  }
  const number = option.kind === "int" || option.kind === "float";
  return (
    <input
      id={id}
      type={number ? "number" : "text"}
      step={option.kind === "float" ? "any" : "1"}
      value={value === null ? "" : String(value)}
      placeholder={option.default === null ? "not set" : undefined}
      aria-describedby={described}
      onChange={(event) => onChange(read(option, event.currentTarget.value))}
    />
  );
}

/** What was typed as the kind of the option; "text" is JSON where it reads as such. */
function read(option: OptionShape, text: string): Value | undefined {
  if (text.trim() === "") return option.optional || option.kind !== "str" ? undefined : "";
  if (option.kind === "int" || option.kind === "float") return Number(text);
  if (option.kind === "text") {
    try {
      return JSON.parse(text) as Value;
    } catch {
      return text;
    }
  }
  return text;
}
