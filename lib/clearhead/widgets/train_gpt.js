// A GPT that is trained in the page: the appendix's own Python goes on, a few steps at a time, and this draws it.
const { h, s, number } = kit;
const WIDTHS = [16, 32, 64], BLOCKS = [1, 2, 3], TRAITS = ["rate", "width", "blocks", "wrong"];
const WRONG = ["none", "residual omitted", "attention omitted", "norm: mean and deviation constant", "softmax: sum omitted"];
const STEPS = 300, CHUNK = 5, EVALUATION_INTERVAL = 25;   // steps in the schedule, in one call, between two looks at what it generates

function compute({ losses, marks }) {
  const smooth = [];
  for (let end = 10; end <= losses.length; end += 10)
    smooth.push(losses.slice(end - 10, end).reduce((sum, loss) => sum + loss, 0) / 10);
  const last = smooth.length ? smooth[smooth.length - 1] : marks[0];
  return { smooth, above: last - marks[2] };
}

const settings = ({ rate, width, blocks, wrong }) =>
  `learning rate ${number(rate, 3)}, ${BLOCKS[blocks]} block${blocks ? "s" : ""} of width ${WIDTHS[width]}, ` +
  (wrong ? `a wrong gradient (${WRONG[wrong]})` : "all gradients correct");

function words(settingsOf, { above }) {
  const reference = settingsOf.losses.length
    ? `The grey line is the run above: after ${settingsOf.losses.length} steps it is ${number(above, 3)} nats above the floor of ${number(settingsOf.marks[2], 3)}.`
    : `Nothing is trained yet. The floor is ${number(settingsOf.marks[2], 3)} nats per token.`;
  return `${reference} Your run: ${settings(settingsOf)}.`;
}

// ---- The picture: loss against steps, each nat as high as it is hard to get (a logarithmic axis) ---------------
const HIGH = 300, LEFT = 40, RIGHT = 12, TOP = 14, BOTTOM = 34, MIN_LOSS = 0.18, MAX_LOSS = 5;

function chart(settingsOf, run, label, wide) {
  const steps = Math.max(STEPS, run?.losses.length ?? 0), low = HIGH - BOTTOM;
  const x = (step) => LEFT + ((wide - LEFT - RIGHT) * step) / steps;
  const y = (loss) => low - ((low - TOP) * Math.log(Math.min(Math.max(loss, MIN_LOSS), MAX_LOSS) / MIN_LOSS)) / Math.log(MAX_LOSS / MIN_LOSS);
  const line = (losses, kind, every = 10, more = {}) => losses.length > 1 && s("polyline", { class: `ch-${kind} ch-stroke`,
    points: losses.map((loss, i) => `${x((i + 0.5) * every).toFixed(1)},${y(loss).toFixed(1)}`).join(" "), style: "fill:none", ...more });
  const marks = ["a uniform guess", "a model that sees one word", "entropy: no model gets below"];
  return kit.drawing(wide, HIGH, label,
    [0.2, 0.5, 1, 2, 4].map((loss) => s("text", { x: LEFT - 6, y: y(loss) + 4, "text-anchor": "end", class: "ch-small", text: String(loss) })),
    [0, 1, 2, 3].map((part) => s("text", { x: x((steps * part) / 3), y: low + 16, "text-anchor": part === 3 ? "end" : "middle", class: "ch-small", text: String(Math.round((steps * part) / 3)) })),
    s("text", { x: (LEFT + wide) / 2, y: HIGH - 3, "text-anchor": "middle", class: "ch-small", text: "step" }),
    settingsOf.marks.map((mark, i) => [
      s("line", { x1: LEFT, x2: wide - RIGHT, y1: y(mark), y2: y(mark), class: "ch-value ch-stroke", "stroke-dasharray": i === 2 ? "none" : "2 5" }),
      s("text", { x: wide - RIGHT, y: y(mark) + (i === 2 ? 18 : -6), "text-anchor": "end", class: "ch-value", style: "font-size:13px", text: marks[i] })]),
    line(compute(settingsOf).smooth, "plain", 10, { "stroke-opacity": 0.55 }),
    run && line(run.losses, "weight", 1, { "stroke-opacity": 0.3, "stroke-width": 1.2 }),
    run && line(compute({ losses: run.losses, marks: settingsOf.marks }).smooth, "weight"),
    run && run.evaluations.map(({ step, held_out: loss }) => s("circle", { cx: x(step), cy: y(loss), r: 4.5, class: "ch-query" })));
}

// What the model generates now; the grammar judges each sentence.
function evaluationView(evaluation) {
  if (!evaluation) return h("p", { class: "ch-caption", text: "Press Train, and watch what the model generates." });
  return h("div", {},
    h("p", { class: "ch-caption", text: `Step ${evaluation.step}: ${Math.round(100 * evaluation.fraction)} % of 40 sentences are grammatical. Five of them:` }),
    h("ul", { style: "list-style:none;margin:0;padding:0" }, evaluation.sentences.map(([text, right]) =>
      h("li", { class: right ? "ch-verdict ch-right" : "ch-verdict" }, h("b", { text: right ? "✓ " : "✗ ", "aria-label": right ? "right:" : "wrong:" }), text))));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Train a GPT here");
  const python = globalThis.clearhead?.run && globalThis.clearhead, program = document.getElementById("ch-program");
  const picture = h("div", {}), evaluationPanel = h("div", { style: "min-height:9.5rem;margin-top:0.6rem" });
  let run = null, isTraining = false, loaded = false, runId = 0;

  const settingsOf = () => Object.fromEntries(["losses", "marks", ...TRAITS].map((name) => [name, model.get(name)]));
  const paint = (state, line) => picture.replaceChildren(chart(state, run, line, Math.min(640, picture.clientWidth || 640)));
  const show = (text) => {
    const state = settingsOf();
    const line = text ?? (run?.losses.length ? live(state) : words(state, compute(state)));
    paint(state, line);
    evaluationPanel.replaceChildren(evaluationView(run?.evaluations.at(-1)));
    figure.setStatus(line);
  };
  const live = (state) => {
    const { above } = compute({ losses: run.losses, marks: state.marks }), evaluation = run.evaluations.at(-1);
    return `Step ${run.losses.length} of your run: training loss ${number(run.losses.at(-1), 3)}` +
      `${run.losses.length > 9 ? `, the mean of the last ten ${number(above, 3)} above the floor` : ""}; held-out loss ${number(evaluation.held_out, 3)} at step ${evaluation.step}. Settings: ${settings(state)}.`;
  };

  async function runPython(code) {
    const { error, text } = await python.run(code, { cell: "training", limit: 60, skipUnavailable: true });
    if (error) throw new Error(error);
    return text;
  }
  const callPython = async (call) => JSON.parse(await runPython(`print(json.dumps(${call}))`));

  // Return a fresh run: Python loads first, where it is not there or was stopped.
  async function startRun() {
    const { width, blocks } = settingsOf();
    if (python.state === "none" || !loaded) { show("Python is loading; this happens only once."); await runPython(JSON.parse(program.textContent)); loaded = true; }
    const evaluation = await callPython(`start_run(0, ${WIDTHS[width]}, ${BLOCKS[blocks]})`);
    return { losses: [], evaluations: [{ ...evaluation, step: 0 }] };
  }

  // `turn` is another one as soon as the reader pauses or starts over: then what still comes is left alone.
  async function train() {
    if (isTraining) return pause();
    const ownId = ++runId, isCurrent = () => runId === ownId && el.isConnected;
    isTraining = true;
    start.textContent = "Pause";
    try {
      const nextRun = run ?? await startRun();
      if (!isCurrent()) return;
      run = nextRun;
      while (isCurrent()) {
        const { rate, wrong } = settingsOf(), decay = Math.max(1 - nextRun.losses.length / (STEPS + 1), 0.05);
        const { losses } = await callPython(`train_steps(${CHUNK}, ${rate * decay}, ${JSON.stringify(WRONG[wrong])})`);
        nextRun.losses.push(...losses);
        const steps = nextRun.losses.length;
        if (steps % EVALUATION_INTERVAL === 0) nextRun.evaluations.push({ ...await callPython("evaluate()"), step: steps });
        if (!isCurrent()) break;
        if (steps === STEPS) pause();
        if (steps % EVALUATION_INTERVAL === 0) show();
        else paint(settingsOf(), live(settingsOf()));
      }
    } catch (error) {
      loaded = false;
      reset();
      show(`The training stopped: ${error.message}`);
    }
  }

  function pause() {
    runId++;
    isTraining = false;
    start.textContent = run?.losses.length ? "Continue" : "Train";
    if (run) show();
  }
  function reset() {
    run = null;
    pause();
    show();
  }
  const start = figure.button("Train", train), resetButton = figure.button("Start over", reset);
  figure.controls.append(h("div", { class: "ch-buttons" }, start, resetButton));
  figure.slider("rate", { label: "learning rate", min: -3, max: -1, step: 0.1, show: (x) => number(x, 3), to: (x) => Number((10 ** x).toPrecision(2)), from: Math.log10 });
  figure.choice("width", "Width", WIDTHS.map(String)).style.gridColumn = "auto";
  figure.choice("blocks", "Blocks", BLOCKS.map(String)).style.gridColumn = "auto";
  figure.choice("wrong", "Mistake planted in the gradients", WRONG);
  if (!python || !program) figure.controls.hidden = true;
  figure.picture.append(picture, evaluationPanel);
  ["width", "blocks"].forEach((trait) => figure.on(trait, reset));
  figure.draw(["losses", "marks", "rate", "wrong"], () => show());
  figure.onResize(picture, () => show());
  return () => { runId++; figure.dispose(); };
}

export default { render, compute };
