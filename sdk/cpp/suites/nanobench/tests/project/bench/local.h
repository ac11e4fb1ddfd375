// Includes the library by its place.
#pragma once
#include "../lib/nanobench.h"
