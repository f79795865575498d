// An editor in place of a code block, made when it is first wanted: CodeMirror loads then, and not before.
(self.clearheadParts ??= {}).editor = (() => {
  "use strict";
  const here = new URL(".", document.currentScript.src).href;
  let loading = null;

  function load() {
    return loading ??= new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: here + "runtime/codemirror.js" });
      script.onload = () => resolve(self.ClearheadEditor);
      script.onerror = () => reject(new Error("the editor's file is missing next to this page"));
      document.head.append(script);
    });
  }

  // Replace a code block by an editor that holds `text`; without CodeMirror a plain box does.
  async function open(block, { text, label, describedBy, run, changed }) {
    const parent = document.createElement("div");
    parent.className = "ch-editor";
    try {
      const { edit } = await load();
      block.replaceWith(parent);
      return edit({ parent, text, label, describedBy, run, changed });
    } catch {
      block.replaceWith(parent);
      return box(parent, { text, label, describedBy, run, changed });
    }
  }

  function box(parent, { text, label, describedBy, run, changed }) {
    const area = Object.assign(document.createElement("textarea"), { value: text, rows: 12, spellcheck: false });
    area.setAttribute("aria-label", label);
    area.setAttribute("aria-describedby", describedBy);
    area.addEventListener("input", () => changed(area.value));
    area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      run();
    });
    parent.append(area);
    const put = (next) => { area.value = next; changed(next); };
    return { text: () => area.value, focus: () => area.focus(), put, at() {} };
  }

  return { open };
})();
