/// @file
/// One row a model. Pages were read in stored copies, in November 2026.
#include "stages/plan/model_table.h"

#include <algorithm>

namespace stagecraft {
namespace {

constexpr int64_t kLlama3Words = 128256, kQwen2Words = 152064, kQwen3Words = 151936, kGptOssWords = 201088;
constexpr const char* kUnread = "parameters: from memory";

/// hidden, intermediate, layers, heads, heads of K/V, head_dim, vocabulary, context.
ModelShape shape_of(const char* name, int64_t hidden, int64_t intermediate, int64_t layers, int64_t heads,
                    int64_t kv_heads, int64_t head_dim, int64_t vocabulary, int64_t context) {
  ModelShape shape;
  shape.name = name;
  shape.hidden = hidden;
  shape.intermediate = intermediate;
  shape.layers = layers;
  shape.heads = heads;
  shape.kv_heads = kv_heads;
  shape.head_dim = head_dim;
  shape.vocabulary = vocabulary;
  shape.context = context;
  return shape;
}

ModelShape tied(ModelShape shape) {
  shape.tied_head = true;
  return shape;
}

ModelShape with_bias(ModelShape shape) {
  shape.qkv_bias = true;
  return shape;
}

ModelShape windowed(ModelShape shape, int64_t window, int64_t layers) {
  shape.window = window;
  shape.windowed_layers = layers;
  return shape;
}

/// experts, of which each token meets, width; width of shared ones, first layers without.
ModelShape with_experts(ModelShape shape, const ExpertShape& experts) {
  shape.experts = experts;
  return shape;
}

/// DeepSeek-V3's latent attention.
ModelShape latent(ModelShape shape) {
  shape.latent = {.kv_rank = 512, .query_rank = 1536, .rope_dim = 64, .plain_dim = 128, .value_dim = 128};
  return shape;
}

// clang-format off
std::vector<PublicModel> dense_models() {
  return {
      {tied(shape_of("smollm2-135m", 576, 1536, 30, 9, 3, 64, 49152, 8192)), 0.135,
       "huggingface.co/Rea-per/smol_course_module1, config.json (a copy)"},
      {tied(shape_of("llama-3.2-1b", 2048, 8192, 16, 32, 8, 64, kLlama3Words, 131072)), 1.24,
       "huggingface.co/Emm9625/Llama-3.2-1B-chatml, config.json (a copy)", kUnread},
      {shape_of("tinyllama-1.1b", 2048, 5632, 22, 32, 4, 64, 32000, 2048), 1.1,
       "huggingface.co/devmaid/tinyllama-colorist, config.json (a copy)"},
      {shape_of("llama-2-7b", 4096, 11008, 32, 32, 32, 128, 32000, 4096), 6.74,
       "huggingface.co/TheBloke/Llama-2-7B-fp16, config.json (a copy)", kUnread},
      {shape_of("llama-2-13b", 5120, 13824, 40, 40, 40, 128, 32000, 4096), 13.016,
       "huggingface.co/NousResearch/Llama-2-13b-chat-hf, config.json; github.com/thamada/modelQuery"},
      {shape_of("llama-2-70b", 8192, 28672, 80, 64, 8, 128, 32000, 4096), 68.98,
       "huggingface.co/TheBloke/Llama-2-70B-fp16, config.json (a copy)", kUnread},
      {shape_of("llama-3.1-8b", 4096, 14336, 32, 32, 8, 128, kLlama3Words, 131072), 8.030,
       "github.com/vulkomilev/oumi, configs/recipes/llama3_1/README.md; github.com/thamada/modelQuery"},
      {shape_of("llama-3.1-70b", 8192, 28672, 80, 64, 8, 128, kLlama3Words, 131072), 70.563,
       "github.com/vulkomilev/oumi, configs/recipes/llama3_1/README.md; github.com/thamada/modelQuery"},
      {shape_of("llama-3.1-405b", 16384, 53248, 126, 128, 8, 128, kLlama3Words, 131072), 405.85,
       "huggingface.co/relaxml/Llama-3.1-405B-Instruct-QTIP-4Bit-TP8, config.json (a copy)", kUnread},
      {windowed(shape_of("mistral-7b", 4096, 14336, 32, 32, 8, 128, 32000, 32768), 4096, 32), 7.3,
       "huggingface.co/d-matrix/Mistral, config.json (a copy); firstfinger.io (parameters)"},
      {with_bias(shape_of("qwen2.5-7b", 3584, 18944, 28, 28, 4, 128, kQwen2Words, 32768)), 7.62,
       "huggingface.co/yongsen-teo/qwen25, config.json (a copy)", kUnread},
      {with_bias(shape_of("qwen2.5-72b", 8192, 29568, 80, 64, 8, 128, kQwen2Words, 131072)), 72.7,
       "huggingface.co/BitStack/BitStack-Qwen2.5-72B, config.json (a copy)", kUnread},
      {tied(shape_of("qwen3-0.6b", 1024, 3072, 28, 16, 8, 128, kQwen3Words, 40960)), 0.6,
       "huggingface.co/rahul7star/Xd, config.json (a copy)", "tied head: from memory"},
      {shape_of("qwen3-8b", 4096, 12288, 36, 32, 8, 128, kQwen3Words, 40960), 8.2,
       "huggingface.co/thejaminator/checkpoints_multiple_datasets_layer_1_decoder-fixed, config.json (a copy)"},
      {shape_of("qwen3-32b", 5120, 25600, 64, 64, 8, 128, kQwen3Words, 40960), 32.8,
       "gitcode.com/Ascend/MindSpeed-RL, configs/model/qwen3_32b.yaml; grokipedia.com/page/Qwen3-32B"},
  };
}

std::vector<PublicModel> expert_models() {
  return {
      {with_experts(shape_of("olmoe-1b-7b", 2048, 1024, 16, 16, 16, 128, 50304, 4096), {64, 8, 1024}), 7.0,
       "huggingface.co/allenai/OLMoE-1B-7B-0924, config.json; docs.nvidia.com/nemo/megatron-bridge, OLMoE"},
      {with_experts(shape_of("mixtral-8x7b", 4096, 14336, 32, 32, 8, 128, 32000, 32768), {8, 2, 14336}), 46.7,
       "huggingface.co/mistralai/Mixtral-8x7B-Instruct-v0.1, config.json; firstfinger.io (parameters)"},
      {with_experts(shape_of("mixtral-8x22b", 6144, 16384, 56, 48, 8, 128, 32000, 65536), {8, 2, 16384}), 140.62,
       "huggingface.co/mistral-community/Mixtral-8x22B-v0.1, discussion 6 (parameters, layers, experts)",
       "heads, vocabulary and context: from memory"},
      {with_experts(shape_of("qwen3-30b-a3b", 2048, 6144, 48, 32, 4, 128, kQwen3Words, 40960), {128, 8, 768}), 30,
       "gitcode.com/Ascend/MindSpeed-RL, configs/model/qwen3_30b_a3b.yaml; docs.nvidia.com/nemo/automodel"},
      {with_experts(shape_of("qwen3-235b-a22b", 4096, 12288, 94, 64, 4, 128, kQwen3Words, 40960), {128, 8, 1536}), 235,
       "gitcode.com/Ascend/MindSpeed-RL, configs/model/qwen3_235b_a22b.yaml; docs.nvidia.com/nemo/automodel"},
      {with_experts(windowed(with_bias(shape_of("gpt-oss-20b", 2880, 2880, 24, 64, 8, 64, kGptOssWords, 131072)),
                             128, 12),
                    {32, 4, 2880}), 20.9,
       "huggingface.co/keras/gpt_oss_20b_en, task.json; askpandi.com (parameters, from the model card)"},
      {with_experts(windowed(with_bias(shape_of("gpt-oss-120b", 2880, 2880, 36, 64, 8, 64, kGptOssWords, 131072)),
                             128, 18),
                    {128, 4, 2880}), 116.8,
       "huggingface.co/witflag/AlphaMind, original/config.json (a copy); askpandi.com (parameters)"},
      {latent(with_experts(shape_of("deepseek-v3", 7168, 18432, 61, 128, 128, 128, 129280, 163840),
                    {256, 8, 2048, 2048, 3})), 671,
       "gitcode.com/cann/cann-recipes-train, llm_rl/deepseek/verl_patches/config.json; docs.vllm.ai, deepseek_v3",
       "parameters: from memory, without the layer that predicts a second token"},
  };
}
// clang-format on

}  // namespace

const std::vector<PublicModel>& all_models() {
  static const std::vector<PublicModel> models = [] {
    std::vector<PublicModel> all = dense_models();
    for (PublicModel& model : expert_models()) all.push_back(std::move(model));
    return all;
  }();
  return models;
}

const PublicModel* find_model(std::string_view name) {
  const std::vector<PublicModel>& models = all_models();
  const auto found =
      std::find_if(models.begin(), models.end(), [&](const PublicModel& model) { return model.shape.name == name; });
  return found == models.end() ? nullptr : &*found;
}

std::string model_names() {
  std::string names;
  for (const PublicModel& model : all_models()) names += (names.empty() ? "" : ", ") + model.shape.name;
  return names;
}

}  // namespace stagecraft
