// What a program and the driver of secure contexts owe each other: /dev/hauberk-contexts.
#ifndef HAUBERK_CONTEXTS_DRIVER_H
#define HAUBERK_CONTEXTS_DRIVER_H

#include <linux/ioctl.h>
#include <linux/types.h>

// Pages that may become a context's, with those for its page tables. They stay where they are until the file is closed,
// which ends what entered there. Once for each opening of the file.
struct hauberk_pages {
  __u64 start, bytes;
};
#define HAUBERK_PIN _IOW('h', 1, struct hauberk_pages)
#define HAUBERK_MOST_BYTES (64UL << 20)

#endif
