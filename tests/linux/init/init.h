// What the parts of init owe each other.
#ifndef HAUBERK_INIT_H
#define HAUBERK_INIT_H

#include "hauberk.h"
#include "system.h"

// shell.c: reads commands from the console until there are no more.
void shell(void);

#endif
