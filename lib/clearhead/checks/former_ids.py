"""The former ids of exercises, by which records that students stored under them stay readable.

A notebook that was downloaded, an answer that a browser keeps, the progress file and stored marks all name
exercises by their ids. Each of them is read through this table, and everything that is written has the
present id.
"""

PRESENT_IDS = {
    "00.product_shape": "00.matmul_shape",
    "04.temperature_for": "04.temperature_for_top_weight",
    "06.expand_to_full_bilinear": "06.qk_and_ov_matrices",
    "06.head_ablation": "06.ablate_head",
    "08.crossover": "08.crossover_length",
    "09.repair_weights": "09.mask_and_renormalize",
    "10.softmax_T": "10.softmax_with_temperature",
    "11.transfer_step": "11.fine_tune_step",
    "11.which_family": "11.architecture_from_mask",
    "14.tokenize_series": "14.patchify_series",
    "14.loss_floor": "14.min_info_nce",
    "14.attention_is_not_explanation": "14.counterfactual_attention",
    "15.prev_token_score": "15.previous_token_score",
    "16.gated_width": "16.gated_d_ff",
    "16.balance_loss": "16.load_balancing_loss",
    "17.visible": "17.bytes_to_unicode",
    "17.rotate_neighbours": "17.rope_interleaved",
    "17.grouped_attention": "17.cached_grouped_query_attention",
    "17.sink_share": "17.attention_sink_weight",
    "18.lora_merge": "18.merge_lora",
    "18.dpo_policy": "18.kl_regularized_policy",
    "18.clipped_steps": "18.ppo_clip_steps",
    "18.grpo_pass_at_k": "18.pass_at_k",
    "19.keep_or_redraw": "19.speculative_sampling_step",
    "19.words_a_round": "19.expected_tokens_per_iteration",
    "19.bytes_a_token": "19.bytes_read_per_token",
    "19.cache_to_int8": "19.quantize_keys",
    "19.penalise": "19.apply_frequency_penalty",
}


def present_id(id):
    """Return the present id of an exercise, given its present id or a former one."""
    return PRESENT_IDS.get(id, id)


def renamed_functions(number):
    """Return a dict from the former to the present name of each renamed function of a sheet."""
    return {
        old.partition(".")[2]: new.partition(".")[2]
        for old, new in PRESENT_IDS.items()
        if old.startswith(f"{number}.")
    }
