#pragma once
/// @file
/// So that a .cu file which includes CUDA's own header finds the simulator's. Only `simt run` puts this folder first.
#include "kernels/simulator/simt.h"
