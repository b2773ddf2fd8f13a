// Small parts that several views share.
import type { ComponentChildren } from 'preact';

import type { Failure } from '../api/client';
import type { Resource } from '../api/types';
import { queueHref, setParams, workloadHref } from '../route';
import { inOrder, resourceLabel } from '../text/amounts';
import { moment } from '../text/time';
import { Icon } from './icons';

export function State({ state }: { state: string }) {
  return (
    <span class={`state state-${state}`}>
      <Icon name={state} />
      {state}
    </span>
  );
}

// A type of decision.
export const Type = ({ type }: { type: string }) => <span class={`type type-${type}`}>{type}</span>;

// "namespace/name", the namespace quieter; breaks behind the slash where there is no room.
export function Name({ name }: { name: string }) {
  const slash = name.indexOf('/');
  if (slash < 0) return <>{name}</>;
  return (
    <>
      <span class="quiet">{name.slice(0, slash + 1)}</span>
      <wbr />
      {name.slice(slash + 1)}
    </>
  );
}

export const WorkloadLink = ({ name }: { name: string }) => (
  <a class="name" href={workloadHref(name)}><Name name={name} /></a>
);

export const QueueLink = ({ name }: { name: string | undefined }) =>
  name ? <a class="quiet-link" href={queueHref(name)}>{name}</a> : <span class="quiet">–</span>;

// A moment as the clock says it, in full on hovering.
export const When = ({ time, now }: { time: string; now: string }) => (
  <time dateTime={time} title={time}>{moment(time, now)}</time>
);

export function Panel(props: {
  title: string;
  more?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <section class={`panel ${props.class ?? ''}`}>
      <header class="panel-head">
        <h2>{props.title}</h2>
        {props.more}
      </header>
      {props.children}
    </section>
  );
}

export const Empty = ({ children }: { children: ComponentChildren }) => (
  <p class="empty">{children}</p>
);

// In place of what could not be had. No answer at all is said at the top of the page.
export function Trouble({ failure }: { failure: Failure | null }) {
  if (!failure || failure.status === 0) return <p class="empty">Waiting for the server…</p>;
  return <p class="empty">{sentence(failure.message)}</p>;
}

export const sentence = (text: string) => {
  const isWord = /^[a-z]+([ ,:;']|$)/.test(text); // no field, no name
  const first = isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?…]$/.test(first) ? first : `${first}.`;
};

interface Choice {
  value: string;
  label: string;
  count?: number | undefined;
}

// One of a few, as buttons in a row. It is a parameter of the address.
export function Choices(props: {
  label: string;
  param: string;
  value: string;
  choices: Choice[];
  also?: Record<string, undefined>; // parameters that the choice makes void
}) {
  return (
    <div class="choices" role="group" aria-label={props.label}>
      {props.choices.map(({ value, label, count }) => (
        <button
          type="button"
          key={value}
          aria-pressed={value === props.value}
          onClick={() => setParams({ ...props.also, [props.param]: value || undefined })}
        >
          {label}
          {count !== undefined && <span class="count">{count.toLocaleString('en-US')}</span>}
        </button>
      ))}
    </div>
  );
}

// Which resource pictures show: the one that the address names, else the first (GPUs if any).
export function chosenResource(resources: Resource[], wanted: string | null) {
  const ordered = inOrder(resources);
  return ordered.find(({ resource }) => resource.name === wanted) ?? ordered[0] ?? null;
}

export function ResourcePicker({ resources, chosen }: { resources: Resource[]; chosen: string }) {
  const choices = inOrder(resources).map(({ resource }) => ({
    value: resource.name,
    label: resourceLabel(resource.name),
  }));
  return <Choices label="Resource" param="r" value={chosen} choices={choices} />;
}

// One of some, as a list to pull down. It is a parameter of the address.
export function SelectField(props: {
  label: string;
  param: string;
  value: string;
  choices: Choice[];
  also?: Record<string, undefined>;
}) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) =>
        setParams({ ...props.also, [props.param]: event.currentTarget.value || undefined })}>
        {props.choices.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
      </select>
    </label>
  );
}

// A field that filters; what is typed is a parameter of the address.
export function FilterField(props: {
  label: string;
  param: string;
  value: string;
  options?: { name: string; count: number }[] | undefined;
  also?: Record<string, undefined>;
}) {
  const list = props.options ? `list-${props.param}` : undefined;
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        type="search"
        value={props.value}
        list={list}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) =>
          setParams({ ...props.also, [props.param]: event.currentTarget.value || undefined },
            'replace')}
      />
      {props.options && (
        <datalist id={list}>{props.options.map(({ name, count }) =>
          <option value={name} key={name}>{count.toLocaleString('en-US')}</option>)}</datalist>
      )}
    </label>
  );
}
