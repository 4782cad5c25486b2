// Start and end of what is no program to be measured, and is given words instead: its main is called tool_main.
#include "hauberk.h"
#include "system.h"

int tool_main(int count, char *words[]);

void start_program(uint64_t *stack) { exit_program((unsigned)tool_main((int)stack[0], (char **)(stack + 1))); }
