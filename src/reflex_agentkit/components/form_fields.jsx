// The fields of every form of the kit: a label, what is filled in, a hint, and what is wrong.
import "./form.css";
import React, { useRef } from "react";
import { Visible, spoken } from "./visible.jsx";
import { useWords } from "./words.jsx";

const describedBy = (id, help, problem) => [help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(" ") || undefined;

/** What a control needs to be tied to its label, hint and problem. */
export const tied = ({ id, help, problem, required }) => ({
  id,
  "aria-invalid": problem ? true : undefined,
  "aria-required": required || undefined,
  "aria-describedby": describedBy(id, help, problem),
});

export function Name({ label, required, labels }) {
  const t = useWords(labels);
  return (
    <>
      <Visible text={label} labels={labels} />
      {required && <span className="ak-field-mark"> {t("form.required")}</span>}
    </>
  );
}

export function Below({ id, help, problem, labels }) {
  return (
    <>
      {help && (
        <p className="ak-field-help" id={`${id}-help`}>
          <Visible text={help} labels={labels} />
        </p>
      )}
      {problem && (
        <p className="ak-problem" id={`${id}-problem`} role="status">
          {problem}
        </p>
      )}
    </>
  );
}

/** A label over a control. `group` makes it a legend over several. */
export function Field({ id, label, required, help, problem, group, labels, children }) {
  const Box = group ? "fieldset" : "div";
  const Label = group ? "legend" : "label";
  const group_ = group ? { "aria-describedby": describedBy(id, help, problem), id } : {};
  return (
    <Box className={problem ? "ak-field ak-field-bad" : "ak-field"} {...group_}>
      <Label className="ak-field-label" htmlFor={group ? undefined : id}>
        <Name label={label} required={required} labels={labels} />
      </Label>
      {children}
      <Below id={id} help={help} problem={problem} labels={labels} />
    </Box>
  );
}

export function Line({ type = "text", value, onValue, after, ...rest }) {
  const input = <input className="ak-input" type={type} value={value} autoComplete="off" onChange={(event) => onValue(event.target.value)} {...rest} />;
  if (!after) return input;
  return (
    <div className="ak-affix">
      {input}
      <span aria-hidden="true">{after}</span>
    </div>
  );
}

/** A number as text: a browser's own number field would change it. */
export const NumberLine = ({ whole, ...rest }) => <Line inputMode={whole ? "numeric" : "decimal"} spellCheck={false} {...rest} />;

export const Area = ({ value, onValue, code, rows = 3, ...rest }) => (
  <textarea
    className={code ? "ak-input ak-input-code" : "ak-input"}
    rows={rows}
    value={value}
    spellCheck={!code}
    onChange={(event) => onValue(event.target.value)}
    {...rest}
  />
);

/** A field of a browser's own kind, or a plain text as soon as it holds what that kind would not show. */
export function Kind({ type, shows, value, ...rest }) {
  const odd = useRef(false);
  if (value !== "" && !shows.test(value)) odd.current = true;
  return <Line value={value} {...rest} type={odd.current ? "text" : type} />;
}

const CLOCK = /^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;
const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(.*)$/;

/** A time, or a day and a time with its zone: fields that give exactly the text that is sent. */
export function Moment({ clock, value, onValue, t, ...rest }) {
  const odd = useRef(false);
  const parts = MOMENT.exec(value);
  if (clock) return <Kind type="time" step={1} shows={CLOCK} value={value} onValue={onValue} {...rest} />;
  if (value !== "" && !parts) odd.current = true;
  if (odd.current) return <Line value={value} onValue={onValue} {...rest} />;
  const [day, zone] = parts ? parts.slice(1) : ["", ""];
  const say = (local, offset) => onValue(local ? local + offset : "");
  return (
    <div className="ak-moment">
      <Line type="datetime-local" step={1} value={day} onValue={(local) => say(local, zone || zoneOf(local))} {...rest} />
      <Line aria-label={t("form.zone")} value={zone} onValue={(offset) => say(day, offset)} disabled={rest.disabled} placeholder="Z" spellCheck={false} />
    </div>
  );
}

/** The zone of the person's clock on that day, as an offset. */
function zoneOf(local) {
  const minutes = -new Date(local).getTimezoneOffset();
  if (!minutes || Number.isNaN(minutes)) return "Z";
  const two = (number) => String(Math.floor(Math.abs(number))).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** One of `options`, each `{key, label}`. `empty` offers none of them. */
export function Pick({ options, value, onValue, empty, emptyLabel, labels, ...rest }) {
  const t = useWords(labels);
  return (
    <select className="ak-input ak-select" value={value} onChange={(event) => onValue(event.target.value)} {...rest}>
      {(empty || value === "") && <option value="">{emptyLabel || t("form.choose")}</option>}
      {options.map(({ key, label }) => (
        <option key={key} value={key}>
          {spoken(t, label)}
        </option>
      ))}
    </select>
  );
}

export function Choices({ name, options, value, onValue, disabled, labels }) {
  return (
    <div className="ak-choices">
      {options.map(({ key, label }) => (
        <label key={key}>
          <input type="radio" name={name} checked={value === key} disabled={disabled} onChange={() => onValue(key)} />
          <Visible text={label} labels={labels} />
        </label>
      ))}
    </div>
  );
}

export function Checks({ options, values, onValues, disabled, labels }) {
  const toggle = (key, on) => onValues(options.map((one) => one.key).filter((one) => (one === key ? on : values.includes(one))));
  return (
    <div className="ak-choices">
      {options.map(({ key, label }) => (
        <label key={key}>
          <input type="checkbox" checked={values.includes(key)} disabled={disabled} onChange={(event) => toggle(key, event.target.checked)} />
          <Visible text={label} labels={labels} />
        </label>
      ))}
    </div>
  );
}

/** A yes or no with its label beside it. */
export function Check({ id, label, required, help, problem, value, onValue, disabled, labels, bare }) {
  const row = (
    <label className="ak-check">
      <input
        type="checkbox"
        {...tied({ id, help, problem })}
        checked={value === true}
        disabled={disabled}
        onChange={(event) => onValue(event.target.checked)}
      />
      <span>
        <Name label={label} required={required} labels={labels} />
      </span>
    </label>
  );
  if (bare) return row;
  return (
    <div className={problem ? "ak-field ak-field-bad" : "ak-field"}>
      {row}
      <Below id={id} help={help} problem={problem} labels={labels} />
    </div>
  );
}
