// The frames of @rjsf: labels, groups, lists and their buttons, in the kit's own look and words.
import React from "react";
import { ADDITIONAL_PROPERTY_FLAG, TranslatableString as S } from "@rjsf/utils";
import { Below, Name } from "./form_fields.jsx";
import { Icon } from "./icons.jsx";
import { Visible } from "./visible.jsx";
import { Input } from "./form_widgets.jsx";

const wordsOf = (registry) => registry.formContext;

const drawsOwnLabel = (schema) => schema.type === "boolean" && !schema.akNullable && !schema.oneOf && !schema.enum;

function FieldTemplate(props) {
  const { id, label, required, rawErrors, hidden, displayLabel, schema, children, registry, fieldPathId } = props;
  const { labels } = wordsOf(registry);
  if (hidden) return null;
  const group = schema.type === "object" || schema.type === "array";
  const labelled = displayLabel || (schema.type === "boolean" && !drawsOwnLabel(schema));
  const isUnion = [schema.anyOf, schema.oneOf].some((forms) => Array.isArray(forms) && !forms.every((one) => "const" in one));
  return (
    <Wrapped {...props}>
      <div className={rawErrors?.length && !group ? "ak-field ak-field-bad" : "ak-field"}>
        {labelled && (
          <label className="ak-field-label" htmlFor={isUnion ? `${id}${schema.oneOf ? "__oneof_select" : "__anyof_select"}` : id}>
            <Name label={numbered(label, fieldPathId?.path)} required={required && !inList(fieldPathId?.path)} labels={labels} />
          </label>
        )}
        {children}
        {!isUnion && <Below id={id} help={group ? "" : schema.description} problem={rawErrors?.[0]} labels={labels} />}
      </div>
    </Wrapped>
  );
}

/** A field whose name a person gave: the name can be changed, and the field taken away. */
function Wrapped({ id, label, schema, disabled, readonly, registry, onKeyRenameBlur, onRemoveProperty, children }) {
  const { t } = wordsOf(registry);
  if (!schema[ADDITIONAL_PROPERTY_FLAG]) return children;
  return (
    <div className="ak-named">
      <input className="ak-input" type="text" id={`${id}-key`} key={label} defaultValue={label} aria-label={t("form.key")} disabled={disabled || readonly} onBlur={onKeyRenameBlur} />
      {children}
      <Small icon="cross" label={t("form.remove")} onClick={onRemoveProperty} disabled={disabled || readonly} />
    </div>
  );
}

function Small({ icon, label, turn, ...rest }) {
  return (
    <button type="button" className={turn ? "ak-tiny ak-turned" : "ak-tiny"} aria-label={label} title={label} {...rest}>
      <Icon name={icon} size={15} />
    </button>
  );
}

const Add = ({ onClick, disabled, registry, id }) => (
  <button type="button" id={id} className="ak-fold ak-add" onClick={onClick} disabled={disabled}>
    <Icon name="plus" size={14} />
    {wordsOf(registry).t("form.add")}
  </button>
);

/** An entry of a list has its number for a name, and cannot be missing. */
const inList = (path) => typeof path?.at(-1) === "number";
const numbered = (label, path) => (inList(path) ? `${label} ${path.at(-1) + 1}` : label);

const Legend = ({ id, title, required, registry, optionalDataControl, path }) => (
  <legend id={id}>
    <Name label={numbered(title, path)} required={required && !inList(path)} labels={wordsOf(registry).labels} />
    {optionalDataControl}
  </legend>
);

const Description = ({ id, description, registry }) =>
  typeof description === "string" && description ? (
    <p id={id} className="ak-field-help">
      <Visible text={description} labels={wordsOf(registry).labels} />
    </p>
  ) : null;

function ObjectTemplate(props) {
  const { title, description, properties, required, schema, fieldPathId, registry, onAddProperty, disabled, readonly, optionalDataControl } = props;
  const nested = fieldPathId.path.length > 0;
  if ((schema.anyOf || schema.oneOf) && !schema.properties && !properties.length) return null;
  const grows = !!schema.additionalProperties && typeof schema.additionalProperties === "object";
  const Box = nested ? "fieldset" : "div";
  return (
    <Box className={nested ? "ak-fields ak-group" : "ak-fields"} id={fieldPathId.$id} tabIndex={-1}>
      {nested && title && <Legend {...{ title, required, registry, optionalDataControl }} path={fieldPathId.path} id={`${fieldPathId.$id}__title`} />}
      <Description id={`${fieldPathId.$id}__description`} description={description} registry={registry} />
      {properties.map(({ content, name }) => (
        <React.Fragment key={name}>{content}</React.Fragment>
      ))}
      {grows && <Add onClick={onAddProperty} disabled={disabled || readonly} registry={registry} />}
    </Box>
  );
}

function ArrayTemplate({ title, items, canAdd, onAddClick, required, schema, fieldPathId, registry, disabled, readonly }) {
  return (
    <fieldset className="ak-fields ak-group" id={fieldPathId.$id} tabIndex={-1}>
      {title && <Legend {...{ title, required, registry }} path={fieldPathId.path} id={`${fieldPathId.$id}__title`} />}
      <Description id={`${fieldPathId.$id}__description`} description={schema.description} registry={registry} />
      {items}
      {canAdd && <Add onClick={onAddClick} disabled={disabled || readonly} registry={registry} />}
    </fieldset>
  );
}

function ItemTemplate({ children, buttonsProps, hasToolbar, registry }) {
  const { t } = wordsOf(registry);
  const { hasMoveDown, hasMoveUp, hasRemove, onMoveDownItem, onMoveUpItem, onRemoveItem, disabled } = buttonsProps;
  return (
    <div className="ak-item">
      <div>{children}</div>
      {hasToolbar && (
        <div className="ak-item-buttons">
          {hasMoveUp && <Small icon="down" turn label={t("form.up")} onClick={onMoveUpItem} disabled={disabled} />}
          {hasMoveDown && <Small icon="down" label={t("form.down")} onClick={onMoveDownItem} disabled={disabled} />}
          {hasRemove && <Small icon="cross" label={t("form.remove")} onClick={onRemoveItem} disabled={disabled} />}
        </div>
      )}
    </div>
  );
}

const UnionTemplate = ({ selector, optionSchemaField }) => (
  <div className="ak-union">
    {selector}
    {optionSchemaField}
  </div>
);

const Nothing = () => null;

export const templates = {
  ArrayFieldItemTemplate: ItemTemplate,
  ArrayFieldTemplate: ArrayTemplate,
  BaseInputTemplate: Input,
  CyclicSchemaExpandTemplate: Nothing,
  DescriptionFieldTemplate: Description,
  ErrorListTemplate: Nothing,
  FieldErrorTemplate: Nothing,
  FieldHelpTemplate: Nothing,
  FieldTemplate,
  MultiSchemaFieldTemplate: UnionTemplate,
  ObjectFieldTemplate: ObjectTemplate,
  TitleFieldTemplate: Legend,
  UnsupportedFieldTemplate: Nothing,
  ButtonTemplates: { AddButton: Add, SubmitButton: Nothing },
};

/** The words that @rjsf has for its own parts, from our labels. */
export const translate = (t) => (word, values = []) => {
  if (word === S.YesLabel) return t("form.yes");
  if (word === S.NoLabel) return t("form.no");
  if (word === S.ArrayItemTitle) return t("form.item");
  if (word === S.NewStringDefault) return "";
  if (word === S.OptionPrefix) return t("form.option", { n: values[0] });
  if (word === S.TitleOptionPrefix) return t("form.option", { n: values[1] });
  if (word === S.KeyLabel) return t("form.key");
  return values[0] ?? "";
};
