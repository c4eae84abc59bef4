// What the script of an event's page asks of a browser, for an engine without one: elements that
// have children and a text, and listeners that `fire` calls. `textOf` is the text of a panel.

class Element {
  constructor(tag) {
    Object.assign(this, { tag, children: [], attributes: {}, dataset: {}, className: "" });
    this.classList = { add() {}, toggle() {} };
  }

  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener() {}

  get textContent() {
    const own = this.children.map((child) => child.textContent ?? String(child)).join("");
    return ["td", "th", "p"].includes(this.tag) ? `${own}\t` : this.tag === "tr" ? `${own}\n` : own;
  }
}

function makeDocument(data) {
  const listeners = {};
  const parts = Object.fromEntries(["panel", "chosen", "close"].map((id) => [id, new Element("div")]));
  return {
    getElementById: (id) => parts[id] ?? { textContent: data },
    createElement: (tag) => new Element(tag),
    querySelectorAll: () => [],
    documentElement: new Element("html"),
    addEventListener: (kind, listener) => { listeners[kind] = listener; },
    fire: (kind, event) => listeners[kind](event),
    panel: () => (parts.panel.hidden ? "" : parts.chosen.children.map((part) => part.textContent).join("")),
  };
}
