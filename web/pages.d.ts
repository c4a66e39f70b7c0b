// What the scripts rely on where the browser's own types leave more open: every element of our pages that
// is looked up, or from which an event comes, is one of HTML, and may be a field or a form.

interface FieldOrForm {
  action: string;
  checked: boolean;
  closest<E extends HTMLElement = HTMLElement>(selectors: string): E | null;
  readonly dataset: DOMStringMap;
  disabled: boolean;
  readonly elements: any;
  readonly files: FileList;
  readonly form: HTMLElement;
  matches(selectors: string): boolean;
  href: string;
  max: string;
  method: string;
  min: string;
  name: string;
  noValidate: boolean;
  open: boolean;
  requestSubmit(submitter?: HTMLElement | null): void;
  select(): void;
  type: string;
  value: any;
}

interface EventTarget extends FieldOrForm {}

interface ParentNode {
  querySelector<E extends HTMLElement = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends HTMLElement = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface Element {
  closest<E extends HTMLElement = HTMLElement>(selectors: string): E | null;
}
