// A second device for PyTorch, called `second`, whose memory is the host's.
//
// To PyTorch it is a device like any accelerator: its tensors do not mix with those of the CPU, and
// everything must be moved there. Operators copy their tensors to the CPU, compute and copy back.
#include <ATen/EmptyTensor.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TensorFactories.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/alloc_cpu.h>
#include <torch/extension.h>

#include <atomic>

namespace {

constexpr auto kSecond = c10::DeviceType::PrivateUse1;
const c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

// How often the host waited for a number of the device.
std::atomic<int64_t> synchronisations{0};

struct HostMemory final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    void* data = bytes ? c10::alloc_cpu(bytes) : nullptr;
    return {data, data, &c10::free_cpu, c10::Device(kSecond, 0)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &c10::free_cpu; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

HostMemory memory;
REGISTER_ALLOCATOR(kSecond, &memory);

// One device, one stream, and work that is done before its call returns.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kSecond; }
  c10::Device exchangeDevice(c10::Device) const override { return getDevice(); }
  c10::Device getDevice() const override { return {kSecond, 0}; }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
  c10::Stream getStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT, device);
  }
  c10::Stream exchangeStream(c10::Stream) const override { return getStream(getDevice()); }
  void record(void**, const c10::Stream&, const c10::DeviceIndex, const c10::EventFlag)
      const override {}
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  void destroyEvent(void*, const c10::DeviceIndex) const noexcept override {}
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex deviceCount() const override { return 1; }
  c10::DeviceIndex getCurrentDevice() const override { return 0; }
  c10::Device getDeviceFromPtr(void*) const override { return {kSecond, 0}; }
  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const override {
    auto data = memory.allocate(bytes);
    std::memcpy(data.get(), storage.data(), std::min(bytes, storage.nbytes()));
    storage.set_data_ptr_noswap(std::move(data));
    storage.set_nbytes(bytes);
  }
};

// The same memory as a tensor of the CPU.
at::Tensor on_host(const at::Tensor& tensor) {
  if (tensor.device().is_cpu()) {
    return tensor;
  }
  return at::from_blob(
      tensor.data_ptr(), tensor.sizes(), tensor.strides(), tensor.options().device(c10::kCPU));
}

at::Tensor empty(
    at::SymIntArrayRef size,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout>,
    std::optional<at::Device>,
    std::optional<bool>,
    std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(
      C10_AS_INTARRAYREF_SLOW(size), &memory, kKeys, c10::dtype_or_default(dtype), format);
}

at::Tensor empty_strided(
    at::SymIntArrayRef size,
    at::SymIntArrayRef stride,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout>,
    std::optional<at::Device>,
    std::optional<bool>) {
  return at::detail::empty_strided_generic(
      C10_AS_INTARRAYREF_SLOW(size),
      C10_AS_INTARRAYREF_SLOW(stride),
      &memory,
      kKeys,
      c10::dtype_or_default(dtype));
}

at::Tensor as_strided(
    const at::Tensor& self,
    at::SymIntArrayRef size,
    at::SymIntArrayRef stride,
    std::optional<c10::SymInt> offset) {
  std::optional<int64_t> start;
  if (offset.has_value()) {
    start = offset->expect_int();
  }
  return at::native::as_strided_tensorimpl(
      self, C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride), start);
}

at::Tensor reshape_alias(
    const at::Tensor& self, at::SymIntArrayRef size, at::SymIntArrayRef stride) {
  return as_strided(self, size, stride, std::nullopt);
}

at::Tensor view(const at::Tensor& self, at::SymIntArrayRef size) {
  return at::native::view(self, C10_AS_INTARRAYREF_SLOW(size));
}

at::Tensor& set_storage(
    at::Tensor& self,
    at::Storage source,
    c10::SymInt offset,
    at::SymIntArrayRef size,
    at::SymIntArrayRef stride) {
  auto* tensor = self.unsafeGetTensorImpl();
  tensor->set_storage_keep_dtype(std::move(source));
  auto sizes = C10_AS_INTARRAYREF_SLOW(size);
  auto strides = C10_AS_INTARRAYREF_SLOW(stride);
  if (strides.empty() && !sizes.empty()) {
    tensor->set_storage_offset(offset.expect_int());
    tensor->set_sizes_contiguous(sizes);
  } else {
    tensor->set_sizes_and_strides(sizes, strides, offset.expect_int());
  }
  return self;
}

at::Tensor& set_tensor(at::Tensor& self, const at::Tensor& source) {
  return set_storage(
      self, source.storage(), source.sym_storage_offset(), source.sym_sizes(), source.sym_strides());
}

at::Tensor& set_whole_storage(at::Tensor& self, at::Storage source) {
  c10::SymInt length = static_cast<int64_t>(source.nbytes() / self.itemsize());
  return set_storage(self, std::move(source), 0, length, c10::SymInt(1));
}

const at::Tensor& resize(
    const at::Tensor& self, at::SymIntArrayRef size, std::optional<at::MemoryFormat>) {
  auto sizes = C10_AS_INTARRAYREF_SLOW(size);
  auto* tensor = self.unsafeGetTensorImpl();
  tensor->set_sizes_contiguous(sizes);
  auto bytes = (tensor->storage_offset() + tensor->numel()) * tensor->itemsize();
  if (bytes > tensor->storage().nbytes()) {
    at::detail::getPrivateUse1Hooks().resizePrivateUse1Bytes(tensor->storage(), bytes);
  }
  return self;
}

at::Tensor copy_from(const at::Tensor& self, const at::Tensor& target, bool) {
  if (target.device().is_cpu()) {
    ++synchronisations;
  }
  on_host(target).copy_(on_host(self));
  return target;
}

at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& target) {
  if (target.sizes() != self.sizes()) {
    target.resize_(self.sizes());
  }
  on_host(target).copy_(on_host(self));
  return target;
}

at::Scalar local_scalar(const at::Tensor& self) {
  ++synchronisations;
  return on_host(self).item();
}

at::Tensor convolution(
    const at::Tensor& input,
    const at::Tensor& weight,
    const std::optional<at::Tensor>& bias,
    at::SymIntArrayRef stride,
    at::SymIntArrayRef padding,
    at::SymIntArrayRef dilation,
    bool transposed,
    at::SymIntArrayRef output_padding,
    c10::SymInt groups) {
  std::optional<at::Tensor> host_bias;
  if (bias.has_value() && bias->defined()) {
    host_bias = on_host(*bias);
  }
  auto result = at::convolution_symint(
      on_host(input), on_host(weight), host_bias, stride, padding, dilation, transposed,
      output_padding, groups);
  return result.to(input.device());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> convolution_backward(
    const at::Tensor& gradient,
    const at::Tensor& input,
    const at::Tensor& weight,
    at::SymIntArrayRef stride,
    at::SymIntArrayRef padding,
    at::SymIntArrayRef dilation,
    bool transposed,
    at::SymIntArrayRef output_padding,
    c10::SymInt groups,
    std::array<bool, 3> wanted) {
  std::vector<c10::SymInt> bias_size{
      transposed ? weight.sym_size(1) * groups : weight.sym_size(0)};
  auto [of_input, of_weight, of_bias] = at::convolution_backward_symint(
      on_host(gradient), on_host(input), on_host(weight), bias_size, stride, padding, dilation,
      transposed, output_padding, groups, wanted);
  auto move = [&](const at::Tensor& each) {
    return each.defined() ? each.to(input.device()) : each;
  };
  return {move(of_input), move(of_weight), move(of_bias)};
}

// Accelerators are asked for a GRU's cell as one operator, which the CPU does not have.
std::tuple<at::Tensor, at::Tensor> gru_cell(
    const at::Tensor& input_gates,
    const at::Tensor& hidden_gates,
    const at::Tensor& state,
    const std::optional<at::Tensor>& input_bias,
    const std::optional<at::Tensor>& hidden_bias) {
  auto sum = [](const at::Tensor& gates, const std::optional<at::Tensor>& bias) {
    return bias.has_value() && bias->defined() ? gates + *bias : gates;
  };
  auto from_input = sum(input_gates, input_bias).chunk(3, 1);
  auto from_hidden = sum(hidden_gates, hidden_bias).chunk(3, 1);
  auto reset = (from_input[0] + from_hidden[0]).sigmoid();
  auto update = (from_input[1] + from_hidden[1]).sigmoid();
  auto fresh = (from_input[2] + reset * from_hidden[2]).tanh();
  auto kept = at::cat({reset, update, fresh, from_hidden[2], state}, 1);
  return {fresh + update * (state - fresh), kept};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> gru_cell_backward(
    const at::Tensor& gradient, const at::Tensor& kept, bool has_bias) {
  auto parts = kept.chunk(5, 1);
  auto reset = parts[0], update = parts[1], fresh = parts[2], hidden = parts[3], state = parts[4];
  auto of_update = gradient * (state - fresh) * update * (1 - update);
  auto of_fresh = gradient * (1 - update) * (1 - fresh * fresh);
  auto of_reset = of_fresh * hidden * reset * (1 - reset);
  auto of_input = at::cat({of_reset, of_update, of_fresh}, 1);
  auto of_hidden = at::cat({of_reset, of_update, of_fresh * reset}, 1);
  at::Tensor none;
  return {
      of_input, of_hidden, gradient * update,
      has_bias ? of_input.sum(0) : none, has_bias ? of_hidden.sum(0) : none};
}

// What copies an operator's tensors to the CPU is no wait of the program's.
void compute_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  auto before = synchronisations.load();
  at::native::cpu_fallback(op, stack);
  synchronisations = before;
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&compute_on_host>());
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  library.impl("empty.memory_format", empty);
  library.impl("empty_strided", empty_strided);
  library.impl("as_strided", as_strided);
  library.impl("_reshape_alias", reshape_alias);
  library.impl("view", view);
  library.impl("set_.source_Storage_storage_offset", set_storage);
  library.impl("set_.source_Tensor", set_tensor);
  library.impl("set_.source_Storage", set_whole_storage);
  library.impl("resize_", resize);
  library.impl("_copy_from", copy_from);
  library.impl("_copy_from_and_resize", copy_from_and_resize);
  library.impl("_local_scalar_dense", local_scalar);
  library.impl("_thnn_fused_gru_cell", gru_cell);
  library.impl("_thnn_fused_gru_cell_backward", gru_cell_backward);
  library.impl("convolution_overrideable", convolution);
  library.impl("convolution_backward_overrideable", convolution_backward);
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
  module.def("register_hooks", [] { at::RegisterPrivateUse1HooksInterface(new Hooks); });
  module.def("synchronisations", [] { return synchronisations.load(); });
}
