"""How many exercises one function of the library answers: a student who finds it has the points."""

import importlib
import inspect
import os
import pkgutil
import re

import numpy as np
import pytest

import clearhead.maths
import clearhead.nets
import clearhead.text
from clearhead.checks import registry, verdicts
from clearhead.checks.running import run
from support.places import ROOT

#: Each exercise that one call of the library answers in all cases, and the function.
ANSWERED = {
    "01.one_hot": "maths.vectors.one_hot",
    "01.image_to_vector": "maths.vectors.image_to_vector",
    "01.vector_to_image": "maths.vectors.vector_to_image",
    "01.standardize": "maths.vectors.standardize",
    "01.r_squared": "maths.vectors.r_squared",
    "02.cosine": "maths.embeddings.cosine",
    "02.analogy": "maths.embeddings.analogy",
    "02.ppmi": "maths.embeddings.ppmi",
    "02.welch_bound": "maths.embeddings.welch_bound",
    "02.max_near_orthogonal": "maths.embeddings.max_near_orthogonal",
    "04.attention_single": "maths.attention.soft_lookup",
    "04.soft_lookup": "maths.attention.soft_lookup",
    "04.nadaraya_watson": "maths.attention.nadaraya_watson",
    "06.split_heads": "maths.heads.split_heads",
    "06.merge_heads": "maths.heads.merge_heads",
    "07.sinusoidal_pe": "maths.positions.sinusoidal",
    "07.shift_matrix": "maths.positions.sinusoidal_shift",
    "08.layer_norm": "maths.layers.layer_norm",
    "08.gelu": "maths.layers.gelu",
    "08.block": "maths.transformer.encoder_block",
    "09.causal_mask": "maths.masks.causal_mask",
    "09.masked_attention": "maths.long_attention.chunked_attention",
    "09.padding_mask": "maths.masks.padding_mask",
    "09.cross_entropy": "maths.losses.cross_entropy",
    "10.top_k": "maths.sampling.top_k",
    "10.top_p": "maths.sampling.top_p",
    "10.perplexity": "maths.losses.perplexity",
    "11.cross_attention": "maths.single_head.cross_attention",
    "11.shift_right": "text.translation.shift_right",
    "11.encdec_forward": "maths.models.encoder_decoder",
    "12.sliding_window_mask": "maths.masks.sliding_window_mask",
    "12.linear_attention": "maths.linear_attention.linear_attention",
    "13.patchify": "maths.vision.patchify",
    "13.unpatchify": "maths.vision.unpatchify",
    "13.add_cls_and_pos": "maths.vision.add_class_token",
    "13.attention_rollout": "maths.rollout.attention_rollout",
    "14.kmer_tokenize": "text.kmers.kmer_ids",
    "14.patchify_series": "maths.vision.patchify_series",
    "14.cross_attend_image": "maths.single_head.cross_attention",
    "14.info_nce": "maths.losses.info_nce",
    "15.previous_token_score": "maths.circuits.previous_token_score",
    "15.induction_score": "maths.circuits.induction_score",
    "16.adamw_step": "maths.optimizers.adamw_step",
    "16.newton_schulz": "maths.optimizers.newton_schulz",
    "16.to_bfloat16": "maths.quantization.to_bfloat16",
    "16.top_k_gates": "maths.llama.top_k_gates",
    "16.load_balancing_loss": "maths.llama.load_balancing_loss",
    "16.power_law": "maths.losses.power_law",
    "17.unpack_q8_0": "maths.quantization.unpack_q8_0",
    "17.unpack_q4_1": "maths.quantization.unpack_q4_1",
    "17.round_to_mxfp4": "maths.quantization.round_to_mxfp4",
    "17.permutation_p_value": "maths.contamination.permutation_p_value",
    "18.dpo_loss": "maths.post_training.dpo_loss",
    "18.grpo_advantages": "maths.post_training.grpo_advantages",
    "18.best_of_n": "maths.repeated_sampling.best_of_n",
    "19.min_p": "maths.sampling.min_p",
    "19.multi_token_loss": "maths.losses.multi_token_loss",
    "19.chunked_sum": "maths.serving.chunked_sum",
    "20.optimal_denoiser": "maths.diffusion.optimal_denoiser",
    "20.classifier_free_guidance": "maths.diffusion.classifier_free_guidance",
}
EXERCISES = {e.id: e for sheet in registry.sheets() for e in sheet.exercises}


def answers(function, exercise, seed):
    """Return whether a function passes every case that a seed draws."""
    cases = sorted(exercise.cases(np.random.default_rng(seed)), key=lambda case: case.once)
    outcomes = ((case, run(exercise, function, case.arguments)) for case in cases)
    return all(
        not outcome.error and not outcome.returned and verdicts.judge(exercise, case, outcome).passed
        for case, outcome in outcomes
    )


def function_of(name):
    """Return the function of the library with this name."""
    module, _, entry = name.rpartition(".")
    return getattr(importlib.import_module(f"clearhead.{module}"), entry)


@pytest.mark.parametrize(("id", "name"), ANSWERED.items())
def test_one_call_of_the_library_answers_the_exercise(id, name):
    assert answers(function_of(name), EXERCISES[id], 0)


def test_instructors_are_told_the_counted_number():
    page = (ROOT / "book" / "for_instructors.md").read_text("utf-8")
    told = re.search(r"(\d+) of the (\d+) exercises can be answered by one function", page)
    assert [int(number) for number in told.groups()] == [len(ANSWERED), len(EXERCISES)]


@pytest.mark.skipif("CLEARHEAD_FUZZ" not in os.environ, reason="a minute: every function on every exercise")
def test_no_other_exercise_is_answered_by_one_call():
    found = {}
    for package in (clearhead.maths, clearhead.text, clearhead.nets):
        for place in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(place.name)
            for name, value in vars(module).items():
                if callable(value) and getattr(value, "__module__", "") == place.name and name[0] != "_":
                    found[f"{place.name}.{name}".removeprefix("clearhead.")] = value
    answered = {
        id for id, e in EXERCISES.items() if any(_may(f, e) and answers(f, e, 0) for f in found.values())
    }
    assert answered == set(ANSWERED)


def _may(function, exercise):
    """Return whether a function takes as many arguments as an exercise gives."""
    count = len(exercise.cases(np.random.default_rng(0))[0].arguments)
    try:
        inspect.signature(function).bind(*[None] * count)
    except (TypeError, ValueError):
        return exercise.driver is not None
    return True
