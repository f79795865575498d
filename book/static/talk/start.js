// What the page has before a click: two ways to the model's file. The rest loads after a click, and only then.
(() => {
  const PARTS = ["kernel", "gguf", "tokenizer", "engine", "worker", "inspect", "page"], IN_WORKER = PARTS.slice(0, 5);
  const own = document.currentScript.src, beside = (name) => own.replace(/start\.js[^/]*$/, name);

  const loaded = (name) => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = beside(`${name}.js`);
    script.onload = done;
    script.onerror = () => failed(new Error(`A part of this page is missing: ${name}.js.`));
    document.head.append(script);
  });

  // A page from disk may not start a worker from a file: so its code comes as text, from a blob.
  function worker() {
    const text = `"use strict"; globalThis.talk = {};\n${IN_WORKER.map((name) => `talk.${name} = ${globalThis.talk[name]};`).join("\n")}\ntalk.worker();`;
    const running = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" }))), waiting = new Map();
    let number = 0;
    running.onmessage = ({ data }) => {
      const { done, failed, hear } = waiting.get(data.number);
      if ("part" in data) return hear(data.part);
      waiting.delete(data.number);
      return "error" in data ? failed(new Error(data.error)) : done(data.found);
    };
    const ask = (what, inputs = {}, hear = () => {}) => new Promise((done, failed) => {
      waiting.set(++number, { done, failed, hear });
      running.postMessage({ number, what, ...inputs });
    });
    return { ask, end: () => running.terminate() };
  }

  let parts;
  async function open(box, source) {
    const status = box.querySelector(".talk-status"), bar = box.querySelector("progress"), ways = box.querySelector(".talk-mode");
    const say = (words) => { status.textContent = words; };
    let running;
    ways.disabled = true;
    bar.hidden = false;
    bar.removeAttribute("value");
    say("The model is loading.");
    try {
      parts ??= Promise.all(PARTS.map(loaded));
      await parts.catch((error) => { parts = undefined; throw error; });
      running = worker();
      const about = await running.ask("open", { source }, ({ got, size }) => { bar.max = size || 98e6; bar.value = got; });
      bar.hidden = true;
      ways.hidden = true;
      globalThis.talk.ask = running.ask;   // for the curious: await talk.ask("encode", { text: "Hello" }) in the console
      globalThis.talk.page(box, running.ask, about, say);
    } catch (error) {
      running?.end();
      bar.hidden = true;
      ways.disabled = false;
      say(error.message);
    }
  }

  addEventListener("DOMContentLoaded", () => {
    for (const box of document.querySelectorAll(".talk")) {
      const fetched = box.querySelector(".talk-fetch"), chosen = box.querySelector(".talk-file");
      fetched.addEventListener("click", () => open(box, beside("smollm2.gguf")));
      chosen.addEventListener("change", () => { if (chosen.files[0]) open(box, chosen.files[0]); chosen.value = ""; });
    }
  });
})();
