// What the scripts rely on where the browser's own types leave more open: every element of our pages that
// is looked up, or from which an event comes, is one of HTML.

interface ParentNode {
  querySelector<E extends HTMLElement = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends HTMLElement = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface Element {
  closest<E extends HTMLElement = HTMLElement>(selectors: string): E | null;
}

interface EventTarget {
  closest<E extends HTMLElement = HTMLElement>(selectors: string): E | null;
  matches: any; // That of a media query is a flag.
  readonly dataset: DOMStringMap;
}
