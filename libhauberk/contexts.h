// What a program and the driver of secure contexts owe each other: /dev/hauberk-contexts.
//
// A program maps it, shared and from offset 0, one mapping for each opening: these pages, which are cleared, may become
// a context's, with those for its page tables, when they have been touched. They count as locked memory. What entered
// there is ended when they are unmapped.
#ifndef HAUBERK_CONTEXTS_DRIVER_H
#define HAUBERK_CONTEXTS_DRIVER_H

#define HAUBERK_MOST_BYTES (64UL << 20)

#endif
