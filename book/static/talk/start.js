// What the page has before a click: two sources for the model's file. The rest loads after a click, and only then.
(() => {
  const MODULES = ["kernel", "gguf", "tokenizer", "engine", "worker", "inspect", "page"], WORKER_MODULES = MODULES.slice(0, 5);
  const scriptAddress = document.currentScript.src, addressOf = (name) => scriptAddress.replace(/start\.js[^/]*$/, name);

  const loadScript = (name) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = addressOf(`${name}.js`);
    script.onload = resolve;
    script.onerror = () => reject(new Error(`A part of this page is missing: ${name}.js.`));
    document.head.append(script);
  });

  // A page from disk may not start a worker from a file: so its code comes as text, from a blob.
  function worker() {
    const text = `"use strict"; globalThis.talk = {};\n${WORKER_MODULES.map((name) => `talk.${name} = ${globalThis.talk[name]};`).join("\n")}\ntalk.worker();`;
    const running = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" }))), waiting = new Map();
    let id = 0;
    running.onmessage = ({ data }) => {
      const { resolve, reject, onProgress } = waiting.get(data.id);
      if ("progress" in data) return onProgress(data.progress);
      waiting.delete(data.id);
      return "error" in data ? reject(new Error(data.error)) : resolve(data.result);
    };
    const request = (method, inputs = {}, onProgress = () => {}) => new Promise((resolve, reject) => {
      waiting.set(++id, { resolve, reject, onProgress });
      running.postMessage({ id, method, ...inputs });
    });
    return { request, end: () => running.terminate() };
  }

  let parts;
  async function open(container, source) {
    const status = container.querySelector(".talk-status"), bar = container.querySelector("progress"), sources = container.querySelector(".talk-source");
    const setStatus = (words) => { status.textContent = words; };
    let running;
    sources.disabled = true;
    bar.hidden = false;
    bar.removeAttribute("value");
    setStatus("The model is loading.");
    try {
      parts ??= Promise.all(MODULES.map(loadScript));
      await parts.catch((error) => { parts = undefined; throw error; });
      running = worker();
      const model = await running.request("open", { source }, ({ loaded, size }) => { bar.max = size || 98e6; bar.value = loaded; });
      bar.hidden = true;
      sources.hidden = true;
      globalThis.talk.request = running.request;   // for the curious: await talk.request("encode", { text: "Hello" }) in the console
      globalThis.talk.page(container, running.request, model, setStatus);
    } catch (error) {
      running?.end();
      bar.hidden = true;
      sources.disabled = false;
      setStatus(error.message);
    }
  }

  addEventListener("DOMContentLoaded", () => {
    for (const container of document.querySelectorAll(".talk")) {
      const loadButton = container.querySelector(".talk-fetch"), fileInput = container.querySelector(".talk-file");
      loadButton.addEventListener("click", () => open(container, addressOf("smollm2.gguf")));
      fileInput.addEventListener("change", () => { if (fileInput.files[0]) open(container, fileInput.files[0]); fileInput.value = ""; });
    }
  });
})();
