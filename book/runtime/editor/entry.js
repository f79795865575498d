// What the pages need of CodeMirror 6: an editor for a few lines of Python.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { LanguageSupport, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

// Return an editor in `parent`. `run` is what Shift+Enter, Ctrl+Enter and Cmd+Enter do.
// Tab indents; after Escape the next Tab leaves, however long it takes to come.
export function edit({ parent, text, label, describedBy, run, changed }) {
  const go = () => (run(), true);
  const keys = [{ key: "Shift-Enter", run: go }, { key: "Mod-Enter", run: go }, { key: "Ctrl-Enter", run: go }];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(keymap.of(keys)),
        history(),
        drawSelection(),
        lineNumbers(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        indentOnInput(),
        bracketMatching(),
        new LanguageSupport(pythonLanguage),
        syntaxHighlighting(classHighlighter),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy }),
        EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
      ],
    }),
  });
  view.contentDOM.addEventListener("keydown", (event) => {
    if (event.key === "Escape") view.setTabFocusMode(1e9);
  });
  return {
    view,
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    put: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    at: (line) => {
      const { from, to } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
    },
  };
}
