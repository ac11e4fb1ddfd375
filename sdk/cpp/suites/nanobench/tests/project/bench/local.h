// Includes the library by a relative path.
#pragma once
#include "../lib/nanobench.h"
