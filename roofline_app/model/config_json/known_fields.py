"""Fields of a config.json that may be left unread; any other could change the layers, and is refused by name."""

from __future__ import annotations

import re

from roofline_app.model.config_json.fields import Fields

# Fields that decide what layers there are, wherever a dialect states them.
_STRUCTURE = re.compile(
    r"""(?x)
    layer_types | layers_block_type | .*_layer_types | full_attention_interval | hybrid_.* | compress_ratios
    | indexer_types | index_(n_heads|head_dim|topk) | attn_type_list | .*_attn_layers | attn_layer_.* | block_types
    | (q|kv)_lora_rank | v_head_dim | linear_.* | lin_attn.* | mamba_(?!ssm_dtype|hidden_act).* | ssm_.* | conv_kernel
    | sliding_window.* | attention_chunk_size | cross_attention_.* | num_kv_shared_layers | cla_.*
    | (num|n)_.*experts.* | num_local_experts | .*experts_per_tok.* | experts_per_token | top_k_experts | moe_.*
    | shared_.*intermediate_size | expert_.* | mlp_only_layers | decoder_sparse_step | interleave_moe_layer_step
    | enable_moe_block | use_double_wide_mlp | hidden_size_per_layer_input | global_head_dim | num_global_.*
    | attention_k_eq_v | attn_output_gate | hc_mult | o_groups | o_lora_rank | altup_.* | laurel_.* | text_config
    | attention_bias | qkv_bias | mlp_bias | add_.*_bias | use_qkv_bias | use_parallel_residual | parallel_attn
    | window_size | attention_window.* | engram.* | ngram.*
    """
)
# Structure by name only: routing details, training and numerics that leave sizes as they are.
_DETAILS = re.compile(
    r"""(?x)
    moe_(router|apply_router|routed_scaling|renormalize|shared_expert_overlap|layer_start_index|aux|jitter|token|z_loss|dropout|capacity|permute|grouped|latent_dtype|implementation|k_norm).*
    | mamba_(proj_bias|chunk_size|ssm_cache_dtype|dt_.*|expand) | num_experts_group.* | expert_(capacity|dtype).*
    | n_group | topk_group | linear_bias_.*
    """
)
# What a plain transformer's config holds besides what was read.
_HARMLESS = re.compile(
    r"""(?x)
    _.* | architectures | auto_map | model_type | torch_dtype | dtype | transformers_version | .*_token_(id|index)
    | attention_dropout | .*_pdrop | .*dropout.* | hidden_(act|activation) | initializer_.* | .*_eps | .*_epsilon
    | rope_.* | rotary_.* | partial_rotary_factor | max_window_layers | use_cache | use_sliding_window | pretraining_tp
    | output_(attentions|hidden_states|router_logits|scores) | router_(aux_loss_coef|jitter_noise|z_loss_coef)
    | return_dict.* | tie_.* | bad_words_ids | chunk_size_feed_forward | norm_topk_prob | scoring_func | topk_method
    | max_length | min_length | temperature | top_[kp] | typical_p | num_beams | num_beam_groups | num_return_sequences
    | do_sample | early_stopping | (length|repetition|diversity|exponential_decay_length)_penalty | pruned_heads
    | (no_repeat|encoder_no_repeat)_ngram_size | is_(decoder|encoder_decoder) | finetuning_task | problem_type | prefix
    | (decoder_start|forced_[be]os|sep|pad|eos|bos)_token.* | suppress_tokens | begin_suppress_tokens | remove_.*
    | id2label | label2id | task_specific_params | tokenizer_class | torchscript | tf_legacy_loss | use_bfloat16
    | original_max_position_embeddings | initial_context_length | vision_config | audio_config | .*softcapping
    | cross_attention_hidden_size | use_qk_norm | quantization_config | attn_implementation | unsloth_.* | logits_.*
    """
)
ADVICE = "if it changes no layer, take it out"


def refuse_not_understood(fields: Fields, *, known: bool) -> None:
    """Refuse a config that holds more structure than was read.

    Args:
        fields: The text model's fields, after everything that is modelled was read.
        known: Whether the model type is. Where it is not, every field must be one that a plain transformer has.

    Raises:
        ConfigError: When a field that decides the layers, or any unknown field of an unknown model type, was not
            read. A field that says no, such as false, zero or an empty list, is passed over.
    """
    for name in fields.unread():
        if not fields.raw(name):
            continue
        if _STRUCTURE.fullmatch(name) and not _DETAILS.fullmatch(name):
            fields.refuse(name, f"is not modelled for this model_type; {ADVICE}")
        if not known and not _HARMLESS.fullmatch(name):
            fields.refuse(name, f"is not understood; {ADVICE}")
