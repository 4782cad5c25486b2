// Which of its two inputs a program has: 0 the small one, for a profile, 1 the large one, to measure. It is data of an
// object of its own, so both builds have the same code, and the profile of one serves the other.
#ifndef HAUBERK_INPUT_H
#define HAUBERK_INPUT_H

extern const unsigned input;

#endif
