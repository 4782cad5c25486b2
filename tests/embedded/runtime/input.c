#include "input.h"

const unsigned input = LARGE;
