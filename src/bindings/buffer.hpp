#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <string>

/// A contiguous array borrowed through the buffer protocol: nothing is ever converted or copied
/// behind the caller's back, and read-only arrays are taken as sources.

namespace minifloat::bindings {

class Buffer {
 public:
  Buffer(nanobind::handle array, bool writable) {
    const int flags = PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(array.ptr(), &view_, flags) != 0) throw nanobind::python_error();
    const auto item = static_cast<std::uintptr_t>(view_.itemsize);
    if (item <= 8 && item != 0 && reinterpret_cast<std::uintptr_t>(view_.buf) % item != 0) {
      PyBuffer_Release(&view_);
      throw nanobind::value_error("the array is not aligned to its items");
    }
  }
  ~Buffer() { PyBuffer_Release(&view_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void* data() const { return view_.buf; }
  std::size_t item_bytes() const { return static_cast<std::size_t>(view_.itemsize); }
  std::size_t size() const {
    return view_.itemsize == 0 ? 0 : static_cast<std::size_t>(view_.len / view_.itemsize);
  }

  /// Refuse an array whose items or length are not what the kernel will read or write.
  void expect(std::size_t item_bytes, std::size_t size, const char* name) const {
    if (this->item_bytes() == item_bytes && this->size() == size) return;
    const std::string message = std::string(name) + ": expected " + std::to_string(size) +
                                " items of " + std::to_string(item_bytes) + " bytes, got " +
                                std::to_string(this->size()) + " of " +
                                std::to_string(this->item_bytes());
    throw nanobind::value_error(message.c_str());
  }

 private:
  Py_buffer view_{};
};

}  // namespace minifloat::bindings
