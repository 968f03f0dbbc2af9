#pragma once
/// @file
/// The operations that do no arithmetic on floats: one text for the plain contract and for all SIMD targets. They run on
/// the calling thread. Signatures as in kernels/kernels.h.
#include "kernels/kernels.h"

namespace stagecraft::cpu {

void copy_blocks(void* plane, const BlockCopy* copies, int count, int64_t block_bytes, Stream stream);
void verify(const TokenId* drawn, const TokenId* draft, const int32_t* row_start, int32_t* accepted, int requests,
            Stream stream);

}  // namespace stagecraft::cpu
